import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileScheme } from '../../../src/entry/native/file-storage/scheme.ts';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld } from '../../support/matrix.ts';
import { testRandom } from '../../support/random.ts';
import { memoryPlugin } from '../../support/service.ts';
import { scanWorldOf } from '../../support/storages.ts';
import { storageRows } from '../../support/world.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Calls back between a listing and what follows it. */
const disturbed = (scheme: StorageScheme, onListed: () => Promise<void>): StorageScheme => ({
  ...scheme,
  open(address, use) {
    const driver = scheme.open(address, use);
    return { ...driver, list: (options) => driver.list!(options).finally(onListed) };
  },
});

/** The storage VX-1 is a folder of this machine. */
async function openFolder(onListed = async (_folder: string) => {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-scans-')));
  const folder = join(root, 'in');
  await mkdir(folder);
  const clock = testClock();
  const random = testRandom();
  const scheme = fileScheme(
    { root, storageRoots: [root], minFreeBytes: 0 },
    { randomBytes: (length) => random.bytes(length) },
  );
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const opened = await openWorld('fetch', {
    clock,
    plugins: [memoryPlugin(disturbed(scheme, () => onListed(folder)))],
  });
  onTestFinished(() => scheme.close?.() as Promise<void>);
  await storageRows(opened, { uri: `${pathToFileURL(folder).href}/` });
  const world = scanWorldOf(
    opened,
    memoryStorage(() => clock.now()),
  );
  const put = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
    const written = clock.now() / 1000;
    await utimes(join(folder, path), written, written);
  };
  const statesOf = async () =>
    Object.fromEntries((await world.rows('file')).map(({ path, state }) => [String(path), String(state)]));
  return { ...world, root, folder, put, statesOf };
}

describe('a folder that is scanned', () => {
  it('has each file once, whatever the names of its folders are, with its times', async () => {
    const world = await openFolder();
    const paths = ['a', 'a-b/x', 'a.b', 'b/x', 'b/x2/y', 'b0', '\ufffd', '\u{1f600}/z', 'ä/ö', 'Z'];
    for (const path of paths) await world.put(path, 'hello');
    expect((await world.scan()).toSorted()).toEqual(paths.map((path) => `file/new ${path}`).toSorted());
    expect(await world.scanAfter(20)).toHaveLength(2 * paths.length);
    for (let times = 0; times < 2; times++) expect(await world.scan()).toEqual([]);
    expect(new Set(Object.values(await world.statesOf()))).toEqual(new Set(['CLOSED']));
    const keys = (await world.rows('key_value')).map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set(['created', 'mtime']));
  });

  it('gives small files at rest their hash with their row, and others wait in line', async () => {
    const world = await openFolder();
    const large = 'x'.repeat(1024 * 1024 + 1);
    for (const [path, text] of Object.entries({ empty: '', 'in/small': 'hello', large })) {
      await world.put(path, text);
      await utimes(join(world.folder, path), 1_700_000_000, 1_700_000_000);
    }
    await world.put('open', 'still written');
    await world.scan();
    const rows = (await world.rows('file')).map(({ path, state, hash, version }) => [path, state, hash, version]);
    expect(rows).toEqual([
      ['empty', 'CLOSED', sha1(''), 1],
      ['in/small', 'CLOSED', sha1('hello'), 1],
      ['large', 'CLOSED', sha1(large), 2],
      ['open', 'OPEN', null, 1],
    ]);
    expect((await world.row('in/small'))!['digest']).toBe(`${sha1('hello')}:${sha256('hello')}`);
    const events = (await world.events()).map(({ name }) => name).filter((name) => name.startsWith('file/'));
    const together = ['file/new', 'file/close', 'file/hash'];
    expect(events).toEqual([...together, ...together, 'file/new', 'file/close', 'file/new', 'file/hash']);
    expect(await world.scan()).toEqual([]);
  });

  it('gives a file that changes behind its listing no hash of its other bytes', async () => {
    const written: string[] = [];
    const world = await openFolder(async (folder) => {
      for (const path of written.splice(0)) await writeFile(join(folder, path), 'other');
    });
    for (const path of ['a', 'b']) {
      await world.put(path, 'hello');
      await utimes(join(world.folder, path), 1_700_000_000, 1_700_000_000);
    }
    written.push('a');
    await world.scan();
    expect([(await world.row('a'))!['hash'], (await world.row('b'))!['hash']]).toEqual([null, sha1('hello')]);
  });

  it('tells a file from the one whose inode it got: the same name, size and time prove nothing', async () => {
    const world = await openFolder();
    const time = new Date(1_700_000_000_000);
    await world.put('a', 'hello');
    await utimes(join(world.folder, 'a'), time, time);
    await world.scan();
    await world.scanAfter(20);
    const before = (await world.row('a'))!;
    await unlink(join(world.folder, 'a'));
    await world.put('a', 'other');
    await utimes(join(world.folder, 'a'), time, time);
    expect(await world.scan()).toEqual(['file/change a', 'file/hash a']);
    expect(await world.row('a')).toMatchObject({ state: 'CLOSED', size: before['size'], modified: before['modified'] });
    expect((await world.row('a'))!['hash']).not.toBe(before['hash']);
  });

  it('passes links and its own folder over, and holds nothing open', async () => {
    const world = await openFolder();
    await world.put('a', 'x');
    await symlink('/etc/passwd', join(world.folder, 'link'));
    await symlink(world.root, join(world.folder, 'up'));
    expect(await world.scan()).toEqual(['file/new a']);
    expect(JSON.parse(String((await world.rows('storage_scan'))[0]!['found']))).toMatchObject({ seen: 1, skipped: 2 });
    const open = await readdir('/proc/self/fd').catch(() => []);
    const targets = await Promise.all(open.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    expect(targets.filter((target) => target.startsWith(world.root))).toEqual([]);
  });

  it('that is gone, or is an empty mount point, costs no file its state; back again, all is as it was', async () => {
    const world = await openFolder();
    for (const path of ['a', 'b/c']) await world.put(path, 'x');
    await world.scan();
    await world.scanAfter(20);
    const before = await world.rows('file');
    const away = join(world.root, 'away');
    await rename(world.folder, away);
    for (let times = 0; times < 4; times++) await world.scanAfter(60);
    expect((await world.rows('storage'))[0]!['state']).toBe('OFFLINE');
    await mkdir(world.folder);
    for (let times = 0; times < 4; times++) await world.scanAfter(60);
    expect(await world.rows('file')).toEqual(before);
    expect((await world.rows('storage_method'))[0]!['failure_message']).toContain('another one is');
    await rm(world.folder, { recursive: true });
    await rename(away, world.folder);
    await world.scanAfter(60);
    expect(await world.rows('file')).toEqual(before);
    expect((await world.rows('storage'))[0]!['state']).toBe('READY');
  });
});
