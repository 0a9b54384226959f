import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/composition/settings.ts';
import { readMove } from '../../src/entry/native/backup.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { tryCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { temporaryDirectory } from '../support/store.ts';

const authorization = basic(['admin', 'a pass phrase']);

/** A server on a root, and requests to it. */
async function serving(root: string) {
  const settings = { PORTICO_ROOT: root, PORTICO_PORT: '0', PORTICO_LOG_LEVEL: 'error', PORTICO_FFMPEG: '' };
  const running = await startServer(
    readSettings({ ...settings, PORTICO_ADMIN_PASSWORD: 'a pass phrase' }),
    () => undefined,
  );
  const ask = async (method: string, path: string, type?: string, body?: string) => {
    const headers = { authorization, accept: 'application/json, */*;q=0.5', ...(type && { 'content-type': type }) };
    const answer = await fetch(`${running.address}/API/${path}`, { method, headers, ...(body && { body }) });
    return [answer.status, await answer.text()] as const;
  };
  return { ask, stop: () => running.stop() };
}

it('a backup that is restored into another root has its media where storages look for it', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const [old, other, copy] = ['old root', 'new', 'copy'].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(join(old, 'media/in'), { recursive: true });
  const first = await serving(old);
  const method = [{ uri: `file://${encodeURI(join(old, 'media/in'))}/`, read: true, write: true, browse: true }];
  const storage = JSON.stringify({ type: 'LOCAL', capacity: 1_000_000_000, method });
  expect((await first.ask('POST', 'storage', 'application/json', storage))[0]).toBe(200);
  expect((await first.ask('POST', 'storage/VX-1/file/data?path=a.txt', 'application/octet-stream', 'bytes'))[0]).toBe(
    200,
  );
  await first.stop();
  expect((await tryCli(['backup', copy, '--media'], { root: old })).code).toBe(0);
  await rename(old, `${old} is gone`);
  const moved = await tryCli(['restore', copy, '--media', '--move-storages', `${old}=${other}`], { root: other });
  expect([moved.code, moved.err]).toEqual([0, '']);
  expect(moved.out).toContain(`  moved storage VX-1 to ${join(other, 'media/in')}\n`);
  expect(moved.out).not.toContain('not found');
  const second = await serving(other);
  onTestFinished(() => second.stop());
  expect(await second.ask('GET', 'storage/file/VX-1/data')).toEqual([200, 'bytes']);
  await expect.poll(async () => JSON.parse((await second.ask('GET', 'storage/VX-1'))[1]).state).toBe('READY');
});

it('a restore names the folders that are not there, and how to move them', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const [old, other, copy] = ['old', 'new', 'copy'].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(join(old, 'media/in'), { recursive: true });
  const first = await serving(old);
  const method = [{ uri: `file://${join(old, 'media/in')}/`, read: true, write: true }];
  await first.ask('POST', 'storage', 'application/json', JSON.stringify({ type: 'LOCAL', capacity: 1000, method }));
  await first.stop();
  await tryCli(['backup', copy], { root: old });
  await rename(old, `${old}.gone`);
  const { out } = await tryCli(['restore', copy, '--move-storages', '/nowhere=/elsewhere'], { root: other });
  expect(out).toContain('  no storage lies below /nowhere\n');
  expect(out).toContain(`  not found: ${join(old, 'media/in')} of storage VX-1\n`);
  expect(out).toContain('--move-storages OLD=NEW');
});

it.each(['old=/new', '/old', '/old=', '=/new', '/a=/b=/c', 'http://a/=/b'])(
  'a move is two absolute folders, and "%s" changes nothing',
  async (text) => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    await writeFile(join(directory.path, 'x.db'), '');
    expect(readMove(text)).toBeUndefined();
    const { code, err } = await tryCli(['restore', join(directory.path, 'x.db'), '--move-storages', text], {
      root: directory.path,
    });
    expect([code, err]).toEqual([
      1,
      `portico: Expected two absolute folders as OLD=NEW after --move-storages: "${text}"\n`,
    ]);
  },
);

it('addresses of folders are folders, too', () => {
  expect(readMove('file:///srv/a%20b/=/mnt/c')).toEqual({ from: '/srv/a b', to: '/mnt/c' });
});
