import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { serveCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { openRaw } from '../support/raw.ts';
import { temporaryDirectory } from '../support/store.ts';

const password = 'password of admin';
const environment = { PORTICO_ADMIN_PASSWORD: password };

async function newRoot(): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  return path;
}

/** A server with a request that has not ended. */
async function busyServer() {
  const served = await serveCli({ root: await newRoot(), environment });
  const connection = openRaw(served.port);
  const head = ['PUT /API/group/editors HTTP/1.1', 'Host: x', `Authorization: ${basic(['admin', password])}`];
  connection.write(`${[...head, 'Content-Length: 2', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  await connection.received('100 Continue');
  return { ...served, connection };
}

/** Makes an item and gives its id. */
async function newItem(port: number | string): Promise<string> {
  const headers = { authorization: basic(['admin', password]), accept: 'application/json' };
  const address = `http://127.0.0.1:${port}/API/import/placeholder?container=1`;
  return (await (await fetch(address, { method: 'POST', headers })).json()).id;
}

it.skipIf(process.platform === 'win32')(
  'kill of npm start stops the server, and ids go on at the next start',
  async () => {
    const root = await newRoot();
    const program = resolve('dist/src/entry/cli.js');
    const start = `node ${program} serve --port 0`;
    await writeFile(
      join(root, 'package.json'),
      JSON.stringify({ name: 'house', version: '1.0.0', scripts: { start } }),
    );
    const env = { ...process.env, ...environment, PORTICO_ROOT: root };
    const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    // The group has the server, too, which may have outlived npm.
    onTestFinished(() => {
      try {
        process.kill(-npm.pid!, 'SIGKILL');
      } catch {
        // All have ended.
      }
    });
    let said = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
    await expect.poll(() => said).toMatch(/portico listening on .*\n/);
    expect(await newItem(/listening on .*:(\d+)/.exec(said)![1]!)).toBe('VX-1');
    // The pipes close with the last process that has them: the server.
    const closed = new Promise((done) => npm.once('close', done));
    process.kill(npm.pid!, 'SIGTERM');
    await closed;
    expect(said).toContain('"event":"stopping"');
    expect(said).not.toContain('stopped-late');
    const { port } = await serveCli({ root, environment });
    expect(await newItem(port)).toBe('VX-2');
  },
);

it('signals that arrive together are one: the open request is answered', async () => {
  const { child, connection, logged, finished } = await busyServer();
  child.kill('SIGINT');
  child.kill('SIGTERM');
  await logged('"event":"stopping"');
  connection.write('{}');
  expect(await connection.ended).toContain('HTTP/1.1 200');
  expect((await finished).code).toBe(0);
});

it('a later signal ends the process at once', async () => {
  const { child, logged } = await busyServer();
  child.kill('SIGTERM');
  await logged('"event":"stopping"');
  await expect
    .poll(() => {
      child.kill('SIGTERM');
      return child.signalCode;
    })
    .toBe('SIGKILL');
});
