import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, inject, it } from 'vitest';
import { fakeFfmpeg } from '../support/programs.ts';
import { adminPassword } from './password.ts';

const root = await mkdtemp(join(tmpdir(), 'portico-command-'));
afterAll(() => rm(root, { recursive: true, force: true }));

/** How a person starts it on each runtime, without the name of the runtime. */
const commands: Readonly<Record<string, () => Promise<string[]>>> = {
  node: async () => ['--import', 'tsx', 'src/entry/cli.ts', 'serve'],
  bun: async () => ['--no-install', 'src/entry/cli.ts', 'serve'],
  deno: denoTask,
};

/** `deno task start` as it is written, except for where the data lives: a test leaves none in the checkout. */
async function denoTask(): Promise<string[]> {
  const { tasks } = JSON.parse(await readFile('deno.json', 'utf8'));
  // Behind the build of the web page.
  const task: string = tasks.start.split(' && ').at(-1);
  const elsewhere = task
    .replace('--allow-write=portico-data', `--allow-write=${root}`)
    .replace('--allow-read=.', `--allow-read=.,${root}`);
  const [runtime, ...words] = elsewhere.split(' ');
  expect([runtime, elsewhere === task]).toEqual(['node_modules/deno/deno', false]);
  return words;
}

/** A ticket as examples/custom-realm wants it. */
function ticketFor(user: string): string {
  const expires = Math.floor(Date.now() / 1000) + 300;
  const signature = createHmac('sha256', 'replace this secret').update(`${user}\n${expires}`).digest('hex');
  return `Basic ${btoa(`${user}:${expires}.${signature}`)}`;
}

it('serves from the command line with a realm that was dropped in, and stops when told', async () => {
  await cp('examples/custom-realm', root, { recursive: true });
  const words = await commands[inject('runtime').replace(/\d+$/, '')]!();
  const child = spawn(process.execPath, [...words, '--root', root, '--port', '0'], {
    env: {
      ...process.env,
      PORTICO_ADMIN_PASSWORD: adminPassword,
      PATH: `${await fakeFfmpeg(root)}:${process.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      const listen = (bytes: Buffer) => {
        said += bytes;
        const found = /^portico listening on (\S+)$/m.exec(said);
        if (found) resolve(found[1]!);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      void ended.then(() => reject(new Error(said)));
    });
    const headers = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}` };
    const answer = await fetch(`${address}/API/whoami`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, 'admin']);
    const whoami = async (authorization: string) =>
      (await fetch(`${address}/API/whoami`, { headers: { authorization } })).status;
    expect([await whoami(ticketFor('alice')), await whoami(`${ticketFor('alice')}0`)]).toEqual([200, 401]);
    // An installed program is found and started with the permissions of the shipped task.
    const version = await fetch(`${address}/API/version`, { headers: { ...headers, accept: 'application/json' } });
    expect((await version.json()).component).toContainEqual({ name: 'ffmpeg', version: '9.9-fake' });
    // The writer thread has the permissions of the process, and needs them.
    expect((await fetch(`${address}/group/by-thread`, { method: 'PUT', headers })).status).toBe(200);
  } finally {
    // Not child.kill: with that, Deno reports the signal and hides the exit code.
    process.kill(child.pid!, 'SIGTERM');
  }
  expect(await ended).toBe(0);
});
