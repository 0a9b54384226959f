import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { memoryStorage, storageError } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { memoryPlugin, openService } from '../../support/service.ts';
import { openScanWorld, type ScanWorld, scanWorldOf } from '../../support/storages.ts';
import { storageRows } from '../../support/world.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

/** Wraps the reads of files, one after the other. */
const reading =
  (around: (path: string, read: () => ReturnType<StorageDriver['read']>) => ReturnType<StorageDriver['read']>) =>
  (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return { ...driver, read: (path, options) => around(path, () => driver.read(path, options)) };
    },
  });

/** A closed file that waits to be hashed: its bytes are there. */
async function waiting(world: ScanWorld, path: string, text: string, storage = 'VX-1', place = world.place) {
  place.put(path, text);
  const { modified, version, bytes } = place.files.get(path)!;
  const serial = 100 + (await world.rows('file')).length;
  await world.sql(
    `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, modified, content, hash_due,
        changed_at, timestamp, version) VALUES ('VX-' || ?1, ?1, ?2, ?3, '', ?3, '', 'CLOSED', ?4, ?5, ?6, 0, 0, 0, 1)`,
    serial,
    storage,
    path,
    bytes.byteLength,
    modified,
    version,
  );
}

const told = async (world: ScanWorld) =>
  (await world.events()).filter(({ name }) => name.startsWith('file/')).map(({ name }) => name);

describe('files that wait for their hash', () => {
  it('get it in one commit with its event, and leave the line', async () => {
    const world = await openScanWorld();
    for (const path of ['a', 'b', 'empty']) await waiting(world, path, path === 'empty' ? '' : path);
    await world.service.tick();
    expect((await world.rows('file')).map(({ hash, hash_due }) => [hash, hash_due])).toEqual([
      [sha1('a'), null],
      [sha1('b'), null],
      [sha1(''), null],
    ]);
    expect(await told(world)).toEqual(['file/hash', 'file/hash', 'file/hash']);
  });

  it('are read a piece at a time, with room for others in between', async () => {
    const world = await openScanWorld();
    const text = 'x'.repeat(20 * 1024 * 1024);
    await waiting(world, 'large', text);
    let [turns, done] = [0, false];
    const count = (async () => {
      while (!done) {
        turns++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await world.service.tick();
    done = true;
    await count;
    expect((await world.row('large'))!['hash']).toBe(sha1(text));
    expect(turns).toBeGreaterThan(2);
  });

  it('do not get that of bytes which changed while they were read; a scan says first what the file is now', async () => {
    const world: ScanWorld = await openScanWorld({
      scheme: reading(async (path, read) => {
        const answer = await read();
        if (world.clock.now() === started) world.place.put(path, 'other');
        return answer;
      }),
    });
    const started = world.clock.now();
    await waiting(world, 'a', 'hello');
    await world.service.tick();
    expect(await world.row('a')).toMatchObject({ hash: null, state: 'CLOSED' });
    expect(await told(world)).toEqual([]);
    await world.scanAfter(1);
    await world.scanAfter(20);
    expect(await world.row('a')).toMatchObject({ hash: sha1('other'), state: 'CLOSED' });
  });

  it('do not get one where their row changes meanwhile, and the others do', async () => {
    const world: ScanWorld = await openScanWorld({
      scheme: reading(async (path, read) => {
        if (path === 'a')
          await world.sql(`UPDATE file SET state = 'OPEN', hash_due = NULL, version = version + 1 WHERE path = 'a'`);
        return read();
      }),
    });
    for (const path of ['a', 'b']) await waiting(world, path, path);
    await world.service.tick();
    expect([(await world.row('a'))!['hash'], (await world.row('b'))!['hash']]).toEqual([null, sha1('b')]);
    expect(await told(world)).toEqual(['file/hash']);
  });

  it('of a storage that does not answer hold up no other one', async () => {
    const world = await openScanWorld();
    await storageRows(world, { id: 'VX-2', uri: 'memory:///two/' });
    const two = world.storage.place('memory:///two/');
    for (let at = 0; at < 5; at++) await waiting(world, `a${at}`, 'a');
    await waiting(world, 'b', 'b', 'VX-2', two);
    world.place.offline = 'Unplugged';
    await world.service.tick();
    const hashes = async () => (await world.rows('file')).map(({ hash }) => hash !== null);
    expect(await hashes()).toEqual([false, false, false, false, false, true]);
    world.place.offline = undefined;
    await world.service.tick();
    expect((await hashes())[0]).toBe(false);
    await world.clock.advance(61_000);
    await world.service.tick();
    expect(await hashes()).toEqual([true, true, true, true, true, true]);
  });

  it('that is gone lets the others go on, and is tried again later', async () => {
    const world = await openScanWorld();
    for (const path of ['a', 'b']) await waiting(world, path, path);
    const kept = world.place.files.get('a')!;
    world.place.files.delete('a');
    await world.service.tick();
    expect([(await world.row('a'))!['hash'], (await world.row('b'))!['hash']]).toEqual([null, sha1('b')]);
    world.place.files.set('a', kept);
    await world.clock.advance(5 * 60_000);
    await world.service.tick();
    expect((await world.row('a'))!['hash']).toBe(sha1('a'));
  });

  it('leave the line where their storage is not hashed, or they are open', async () => {
    const world = await openScanWorld();
    await waiting(world, 'a', 'a');
    await world.sql(`UPDATE file SET state = 'OPEN'`);
    await world.service.tick();
    expect(await world.row('a')).toMatchObject({ hash: null, hash_due: null });
    await world.metadata('hashMode', 'off');
    await waiting(world, 'b', 'b');
    await world.service.tick();
    expect(await world.row('b')).toMatchObject({ hash: null, hash_due: null });
  });

  it('are counted in the work', async () => {
    const world = await openScanWorld();
    for (const path of ['a', 'b']) await waiting(world, path, path);
    const { work } = JSON.parse((await world.ask('GET /API/work')).body) as {
      work: { kind: string; waiting: number }[];
    };
    expect(work.find(({ kind }) => kind === 'hashes')).toMatchObject({ waiting: 2 });
  });

  it('are hashed by another instance from the beginning where one stops in the middle', async () => {
    const clock = testClock();
    const database = await migratedDatabase();
    const storage = memoryStorage(() => clock.now());
    let hangs = false;
    const hanging = reading((_path, read) => {
      hangs = true;
      return hangs ? new Promise(() => undefined) : read();
    })(storage);
    const one = await openService({ clock, database: outliving(database), plugins: [memoryPlugin(hanging)] });
    const other = await openWorld('fetch', { clock, database: outliving(database), plugins: [memoryPlugin(storage)] });
    await storageRows(other);
    const world = scanWorldOf(other, storage);
    await waiting(world, 'a', 'hello');
    void one.service.tick();
    await expect.poll(() => hangs).toBe(true);
    await world.service.tick();
    expect((await world.row('a'))!['hash']).toBeNull();
    // The process that hashes is gone with its leases: the clock of the test does not wake it.
    await world.sql('UPDATE file SET hash_due = 0');
    await world.service.tick();
    expect(await world.row('a')).toMatchObject({ hash: sha1('hello'), hash_due: null });
  });

  it('that fail say why, without the name and the password of an address', async () => {
    const world = await openScanWorld({
      scheme: reading(() => Promise.reject(storageError('failed', 'No answer of smb://user:secret@nas/a'))),
    });
    await waiting(world, 'a', 'a');
    await world.service.tick();
    const { body } = await world.ask('GET /API/work');
    expect(body).toContain('smb://***@nas/a');
    expect(body).not.toContain('secret');
  });
});
