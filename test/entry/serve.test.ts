import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, type Served, serveCli } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { basic } from '../support/matrix.ts';
import { openRaw } from '../support/raw.ts';
import type { Credentials } from '../support/service.ts';
import { temporaryDirectory } from '../support/store.ts';

const linux = process.platform === 'linux';

async function root(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  return directory.path;
}

const whoami = async ({ port }: Served, as: Credentials | string): Promise<number> => {
  const authorization = typeof as === 'string' ? as : basic(as);
  return (await fetch(`http://127.0.0.1:${port}/API/whoami`, { headers: { authorization } })).status;
};

it('serve tells where and the password once, logs elsewhere, finishes what is in flight, and keeps all', async () => {
  const path = await root();
  const first = await serveCli({ root: path });
  const [told, page, ready, ...more] = first.out().split('\n');
  const password = /^The user admin was created\. Its password, shown only now: (\S{20})$/.exec(told!)?.[1];
  expect(password).toBeDefined();
  const at = `http://127.0.0.1:${first.port}`;
  expect([ready, more]).toEqual([`portico listening on ${at}`, ['']]);
  const begins = `web page, for half an hour and one login: ${at}/ui/first#`;
  expect(page!.slice(0, begins.length)).toBe(begins);
  const fragment = new URLSearchParams(page!.slice(begins.length));
  expect(fragment.get('folder')).toBe(`${pathToFileURL(join(path, 'media'))}/`);
  const logIn = () => fetch(`${at}/APInoauth/session`, { method: 'POST', body: fragment.get('link') });
  expect([(await logIn()).status, (await logIn()).status]).toEqual([204, 401]);
  const admin = ['admin', password!] as const;
  expect(await whoami(first, admin)).toBe(200);
  expect(await whoami(first, ['admin', 'wrong'])).toBe(401);
  expect((await stat(join(path, 'portico.db'))).mode & 0o777).toBe(0o600);

  const body = JSON.stringify({ userName: 'bob', password: 'password of bob' });
  const connection = openRaw(first.port);
  const head = [
    'POST /API/user HTTP/1.1',
    'Host: x',
    `Authorization: ${basic(admin)}`,
    'Content-Type: application/json',
  ];
  connection.write(
    `${[...head, `Content-Length: ${body.length}`, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n${body.slice(0, 9)}`,
  );
  await connection.received('100 Continue');
  first.child.kill('SIGTERM');
  await first.logged('"event":"stopping"');
  connection.write(body.slice(9));
  expect(await connection.ended).toContain('HTTP/1.1 200 OK');
  const { code, out, err } = await first.finished;
  expect([code, out.split('\n').length]).toEqual([0, 4]);

  for (const line of err.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
  expect(err).not.toContain(password);

  const second = await serveCli({ root: path, ...(linux ? { openFiles: 1024 } : {}) });
  const again = `http://127.0.0.1:${second.port}`;
  expect(second.out()).toBe(`web page at ${again}/ui/\nportico listening on ${again}\n`);
  expect(await whoami(second, ['bob', 'password of bob'])).toBe(200);
  if (linux) await second.logged('The limit of open files is 1024');
});

it('commands on users are seen by a running server at once, and a backup of it can be restored', async () => {
  const path = await root();
  const served = await serveCli({ root: path, environment: { PORTICO_ADMIN_PASSWORD: 'password of admin' } });
  expect(served.out()).not.toContain('admin was created');
  const portico = async (words: string, input?: string) => {
    // A database that this process has closed stays open until its statements are collected, and nothing can be restored.
    const finished = await runCli(words.split(' '), { root: path, ...(input === undefined ? {} : { input }) });
    expect(finished, words).toMatchObject({ code: 0, err: '' });
    return finished.out;
  };
  const carol = ['carol', 'password of carol'] as const;
  expect(await portico('user add carol --admin', 'password of carol\n')).toBe('Created carol\n');
  expect(await whoami(served, carol)).toBe(200);
  await portico('user disable carol');
  expect(await whoami(served, carol)).toBe(401);
  await portico('user enable carol');
  expect(await whoami(served, carol)).toBe(200);
  // Each command is a process, and takes most of a second.
  if (isLong) {
    const token = (await portico('token new carol --seconds 600')).trim();
    expect(await whoami(served, `token ${token}`)).toBe(200);
    expect(await portico('token revoke carol')).toBe('Ended the tokens of carol\n');
    expect(await whoami(served, `token ${token}`)).toBe(401);
    expect(await portico('user run-as carol on')).toBe('carol may act for others\n');
  }
  await portico('backup copy.db');
  const changed = await portico('user password carol --generate');
  const generated = /shown only now: (\S+)\n/.exec(changed)![1]!;
  expect([await whoami(served, carol), await whoami(served, ['carol', generated])]).toEqual([401, 200]);

  served.child.kill('SIGTERM');
  expect((await served.finished).code).toBe(0);
  const refused = await runCli(['restore', 'copy.db'], { root: path });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('a database is there already')]);
  await portico('restore copy.db --force');
  const restored = await serveCli({ root: path });
  expect([await whoami(restored, carol), await whoami(restored, ['carol', generated])]).toEqual([200, 401]);
});
