import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { denoProgram } from '../support/programs.ts';
import { temporaryDirectory } from '../support/store.ts';

/** Words of `deno task start` behind the build of the web page and the name of the program. */
async function taskWords(): Promise<string[]> {
  const { tasks }: { tasks: { start: string } } = JSON.parse(await readFile('deno.json', 'utf8'));
  return tasks.start.split(' && ').at(-1)!.split(' ').slice(1);
}

const outputOf = (words: readonly string[]): Promise<{ out: string; err: string }> =>
  new Promise((done) => execFile(denoProgram(), words, (_error, out, err) => done({ out, err })));

it('deno task start with a root elsewhere says which permission of which folder is missing', async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const root = join(path, 'elsewhere');
  const { err } = await outputOf([...(await taskWords()), '--root', root, '--port', '0']);
  expect(err).toContain(`portico: Expected permissions of Deno: Requires read access to "${join(root, 'secret.key')}"`);
  expect(err).toContain('name the folder in --allow-read and --allow-write');
});

/** Stands for the server: tells of its signals, and ends when nobody tells it to. */
const listener = `import process from 'node:process';
process.on('SIGHUP', () => console.log('reloads'));
process.on('SIGTERM', () => { console.log('stops'); process.exit(0); });
setTimeout(() => process.exit(1), 60_000);
console.log('listens');`;

it('signals to deno task reach the server: HUP reloads, TERM stops, and no server is left alone', async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const { tasks, nodeModulesDir } = JSON.parse(await readFile('deno.json', 'utf8'));
  const start: string = tasks.start;
  const [program] = start.split(' && ').at(-1)!.split(' ');
  const task = `deno eval 1 && ${program} run -A listener.js`;
  await writeFile(join(path, 'deno.json'), JSON.stringify({ nodeModulesDir, tasks: { start: task } }));
  await writeFile(join(path, 'package.json'), await readFile('package.json'));
  await writeFile(join(path, 'listener.js'), listener);
  await symlink(resolve('node_modules'), join(path, 'node_modules'));
  const child = spawn(denoProgram(), ['task', 'start'], { cwd: path, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let said = '';
  const nextWord = async (word: string): Promise<void> => {
    while (!said.includes(word)) {
      const [piece] = await Promise.race([once(child.stdout, 'data'), ended]);
      if (!Buffer.isBuffer(piece)) throw new Error(`Expected "${word}" before the task ends: "${said}"`);
      said += piece;
    }
  };
  await nextWord('listens');
  child.kill('SIGHUP');
  await nextWord('reloads');
  child.kill('SIGTERM');
  await nextWord('stops');
  await ended;
});

/** Statements of a module that runs in the process. A secret lies in a folder that the process may not read. */
const waysOut = (secret: string, deno: string) => ({
  'reads a file': `Deno.readTextFileSync('${secret}')`,
  'writes a file': `Deno.writeTextFileSync('${secret}', '')`,
  'loads a library': `Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {})`,
  'starts a shell': `execFileSync('sh', ['-c', 'cat ${secret}'], { encoding: 'utf8' })`,
  'starts Deno with all rights': `execFileSync('${deno}', ['eval', 'console.log(Deno.readTextFileSync("${secret}"))'], { encoding: 'utf8' })`,
});

it('a plugin on Deno has the rights of the process, which may start a Deno with all of them', async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const secret = join(path, 'secret.txt');
  await writeFile(secret, 'open sesame');
  const tries = Object.entries(waysOut(secret, denoProgram())).map(
    ([name, code]) => `try { result['${name}'] = String(${code}).trim() } catch { result['${name}'] = 'refused' }`,
  );
  const plugin = join(path, 'plugin.mjs');
  await writeFile(
    plugin,
    `import { execFileSync } from 'node:child_process'; const result = {}; ${tries.join('\n')} console.log(JSON.stringify(result))`,
  );
  const rights = (await taskWords()).filter((word) => word.startsWith('--') || word === 'run');
  const { out } = await outputOf([...rights, plugin]);
  expect(JSON.parse(out)).toEqual({
    'reads a file': 'refused',
    'writes a file': 'refused',
    'loads a library': 'refused',
    'starts a shell': 'refused',
    'starts Deno with all rights': 'open sesame',
  });
});
