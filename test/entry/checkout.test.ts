import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programVersion } from '../../src/core/lib/version.ts';
import { temporaryDirectory } from '../support/store.ts';

/** A checkout with its packages, in which nothing was built yet. */
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let root: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  root = directory.path;
  const sources = ['src', 'realms', 'filters', 'plugins', 'scripts', 'package.json', 'tsconfig.json'];
  await Promise.all(sources.map((name) => cp(name, join(root, name), { recursive: true })));
  await mkdir(join(root, 'node_modules'));
  const packages = (await readdir('node_modules')).filter((name) => name !== '.cache');
  await Promise.all(packages.map((name) => symlink(resolve('node_modules', name), join(root, 'node_modules', name))));
});
afterAll(() => directory.remove());

const cache = () => join(root, 'node_modules/.cache/portico-programs');
const versions = async () => (await readdir(cache())).filter((name) => name !== 'running');

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:PORTICO_|VITEST|NODE_|npm_)/.test(name)),
);

/** `npm run -s portico -- WORDS`. */
const portico = (...words: readonly string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((done) => {
    execFile('npm', ['run', '-s', 'portico', '--', ...words], { cwd: root, env }, (error, out, err) =>
      done({ code: error ? error.code : 0, out, err }),
    );
  });

async function edit(name: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(root, name), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(root, name), text.replace(from, to));
}

it('commands that start at once in a new checkout all run, and leave one set of programs', async () => {
  const answers = await Promise.all([portico('version'), portico('version')]);
  expect(answers).toEqual(Array(2).fill({ code: 0, out: `${programVersion}\n`, err: '' }));
  expect(await versions()).toHaveLength(1);
});

it('a later command runs what was built, and one behind a change of a source runs the change', async () => {
  const before = await versions();
  expect(await portico('version')).toMatchObject({ out: `${programVersion}\n`, err: '' });
  expect(await versions()).toEqual(before);
  await edit('src/core/lib/version.ts', programVersion, 'of the change');
  expect(await portico('version')).toMatchObject({ out: 'of the change\n', err: '' });
});

it('a stack trace names the file and the line of the source', async () => {
  const name = 'src/entry/commands/index.ts';
  await edit(name, 'run: () => printLine(settingManual())', "run: () => {\n  throw new Error('planted');\n}");
  const lines = (await readFile(join(root, name), 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes('planted')) + 1;
  const { code, err } = await portico('settings');
  expect([code, err]).toEqual([1, expect.stringContaining('portico: Error: planted')]);
  expect(err.split('\n')[1]).toMatch(new RegExp(`^ +at .*${name}:${line}:\\d+`));
});

it('a plugin in TypeScript loads, and is tested by this checkout', async () => {
  expect(await portico('plugin', 'new', 'realm', 'people', '--folder', 'portico-data/plugins')).toMatchObject({
    code: 0,
    err: '',
  });
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'portico-data/plugins/tsconfig.json'), 'utf8'));
  expect(compilerOptions.paths['portico/spi']).toEqual(['../../src/spi/index.ts']);
  const { code, out } = await portico('plugin', 'test', 'portico-data/plugins/people.ts');
  expect([code, out]).toEqual([0, expect.stringMatching(/\nAll \d+ promises are kept\n$/)]);
});

it('programs of earlier sources go with the next build, unless a process runs them', async () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const version of ['left', 'held']) {
    await mkdir(join(cache(), version));
    await utimes(join(cache(), version), hourAgo, hourAgo);
  }
  await writeFile(join(cache(), 'running', String(process.pid)), 'held');
  await edit('src/core/lib/version.ts', 'of the change', 'of another change');
  expect(await portico('version')).toMatchObject({ out: 'of another change\n' });
  expect(await versions()).toContain('held');
  expect(await versions()).not.toContain('left');
});

it('a checkout that cannot be written runs its sources, and says so', async () => {
  await rm(join(root, 'node_modules/.cache'), { recursive: true });
  await writeFile(join(root, 'node_modules/.cache'), '');
  expect(await portico('version')).toEqual({
    code: 0,
    out: 'of another change\n',
    err: expect.stringMatching(/^portico: runs from its sources, since they cannot be built: ENOTDIR/),
  });
});
