import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import Libsql from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { launchCli, runCli, serveCli } from '../support/cli.ts';
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

it.skipIf(process.platform === 'win32')(
  'an import of a folder goes on after Ctrl+C and after a kill: nothing is lost, and nothing is there twice',
  async () => {
    const root = await newRoot();
    const folder = join(root, 'shoot');
    const names = Array.from({ length: 30 }, (_, number) => `${number}.txt`);
    await mkdir(join(folder, 'deep'), { recursive: true });
    await Promise.all(names.map((name, index) => writeFile(join(folder, index % 2 ? 'deep' : '', name), name)));
    const first = await serveCli({ root, environment });
    const headers = { authorization: basic(['admin', password]), 'content-type': 'application/json' };
    const uri = `file://${join(root, 'media/in')}/`;
    const storage = { type: 'LOCAL', capacity: 1e9, method: [{ uri, read: true, write: true }] };
    await mkdir(join(root, 'media/in'), { recursive: true });
    const made = await fetch(`http://127.0.0.1:${first.port}/API/storage`, {
      ...{ method: 'POST', headers, body: JSON.stringify(storage) },
    });
    expect(made.status).toBe(200);
    // No server runs, so no job ends and the commands wait until they are stopped.
    first.child.kill('SIGTERM');
    await first.finished;
    const database = new Libsql(join(root, 'portico.db'), { readonly: true } as never);
    onTestFinished(() => void database.close());
    const count = (from: string) =>
      Number(Object.values(database.prepare(`SELECT count(*) FROM ${from}`).get([]) as object)[0]);
    const words = ['import', 'shoot', '--at-once', '2'];
    const stopped = launchCli(words, { root });
    await expect.poll(() => count('import_source'), { timeout: 60_000 }).toBeGreaterThan(0);
    stopped.child.kill('SIGINT');
    const { code, out, err } = await stopped.finished;
    expect([code, err]).toEqual([1, expect.stringContaining('the same command goes on with the others')]);
    expect(out).toMatch(/(^|\n)0 of 0 files imported in \d+ s, \d+ go on\n$/);
    const before = count('import_source');
    const killed = launchCli(words, { root });
    await expect.poll(() => count('import_source'), { timeout: 60_000 }).toBeGreaterThan(Math.min(before, 29));
    killed.child.kill('SIGKILL');
    await killed.finished;
    await serveCli({ root, environment });
    const last = await runCli(words, { root });
    expect([last.code, last.err]).toEqual([0, '']);
    expect(last.out).toMatch(/(^|\n)\d+ of 30 files imported in \d+ s, \d+ by an earlier run\n$/);
    expect([count('item'), count("job WHERE status = 'FINISHED'"), count('import_source')]).toEqual([30, 30, 30]);
    expect(count("file WHERE state = 'CLOSED'")).toBe(30);
  },
);
