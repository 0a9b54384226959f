import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { memoryPlugin, openService } from '../../support/service.ts';
import { openScanWorld, type ScanWorld, scanWorldOf } from '../../support/storages.ts';
import { storageRows } from '../../support/world.ts';

const day = 86_400_000;
const hashOf = (name: string, bytes: string) => createHash(name).update(bytes).digest('hex');
const digestOf = (bytes: string) => `${hashOf('sha1', bytes)}:${hashOf('sha256', bytes)}`;
const put = 'PUT /API/storage/VX-1/fixity';

/** Files as a scan leaves them: closed and hashed. */
async function hashed(world: ScanWorld, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) world.place.put(path, path, 0);
  await world.scan();
}

async function world(options: Parameters<typeof openScanWorld>[0] = {}, days = 10): Promise<ScanWorld> {
  const made = await openScanWorld({ scanInterval: -1, ...options });
  await hashed(made, 'a', 'b');
  expect((await made.ask(put, { days })).status).toBe(200);
  return made;
}

/** Other bytes in the place of a file, of which the storage tells nothing. */
function rot({ place }: ScanWorld, path: string, bytes: string): void {
  place.files.set(path, { ...place.files.get(path)!, bytes: new TextEncoder().encode(bytes) });
}

const states = async (at: ScanWorld) =>
  Object.fromEntries((await at.rows('fixity_file')).map(({ file_id, state }) => [file_id, state]));

const told = async (at: ScanWorld, after: number) =>
  (await at.events(after)).map(({ name, entity, payload }) => [name, entity, (payload as { fixity?: string }).fixity]);

const lastEvent = async (at: ScanWorld) => (await at.events()).at(-1)!.sequence;

describe('files that are read again', () => {
  it('are verified without an event, and read again within the days', async () => {
    const made = await world();
    const before = await lastEvent(made);
    await made.service.tick();
    expect(await states(made)).toEqual({ 'VX-1': 'verified', 'VX-2': 'verified' });
    expect(await told(made, before)).toEqual([]);
    const start = made.clock.now();
    rot(made, 'a', 'x');
    await made.clock.advance(8 * day);
    await made.service.tick();
    expect((await states(made))['VX-1']).toBe('verified');
    await made.clock.advance(2 * day);
    await made.service.tick();
    expect(await states(made)).toEqual({ 'VX-1': 'changed', 'VX-2': 'verified' });
    expect(made.clock.now() - start).toBeLessThanOrEqual(10 * day);
  });

  it('that changed or are missing are told once, keep their hashes, and are told when they are back', async () => {
    const made = await world();
    const b = made.place.files.get('b')!;
    rot(made, 'a', 'x');
    made.place.files.delete('b');
    const before = await lastEvent(made);
    await made.service.tick();
    expect(await told(made, before)).toEqual([
      ['file/fixity', 'VX-1', 'changed'],
      ['file/fixity', 'VX-2', 'missing'],
    ]);
    expect((await made.row('a'))!['digest']).toBe(digestOf('a'));
    await made.clock.advance(day);
    await made.service.tick();
    expect((await made.events(before)).length).toBe(2);
    rot(made, 'a', 'a');
    made.place.files.set('b', b);
    await made.clock.advance(day);
    await made.service.tick();
    expect((await told(made, before)).slice(2)).toEqual([
      ['file/fixity', 'VX-1', 'verified'],
      ['file/fixity', 'VX-2', 'verified'],
    ]);
  });

  it('that have another size are changed, and are not read', async () => {
    const made = await world();
    rot(made, 'a', 'longer');
    await made.service.tick();
    const { body } = await made.ask('GET /API/file/VX-1/fixity');
    expect(body).toContain('Expected 1 bytes: found 6');
  });

  it('without a SHA-256 get it where their SHA-1 is right, and one that differs is a change', async () => {
    const made = await world();
    await made.sql(`UPDATE file SET digest = NULL WHERE id = 'VX-1'`);
    await made.sql(`UPDATE file SET digest = hash || ':' || ? WHERE id = 'VX-2'`, hashOf('sha256', 'other'));
    await made.service.tick();
    expect((await made.row('a'))!['digest']).toBe(digestOf('a'));
    expect(await states(made)).toEqual({ 'VX-1': 'verified', 'VX-2': 'changed' });
  });

  it('without a hash wait for it, and a new hash forgets what was found', async () => {
    const made = await world();
    rot(made, 'a', 'x');
    await made.sql(`UPDATE file SET hash = NULL, digest = NULL WHERE id = 'VX-2'`);
    await made.service.tick();
    expect(await states(made)).toEqual({ 'VX-1': 'changed', 'VX-2': 'unhashed' });
    await made.ask(`PUT /API/file/VX-1/hash/${hashOf('sha1', 'x')}`);
    await made.ask(`PUT /API/file/VX-2/hash/${hashOf('sha1', 'b')}`);
    expect(await states(made)).toEqual({ 'VX-1': 'waiting', 'VX-2': 'waiting' });
  });

  it('that others write while they are read are not told as changed: what was read is no longer the file', async () => {
    const made = await world();
    const before = await lastEvent(made);
    const bytes = new TextEncoder().encode('x');
    let written: Promise<unknown> | undefined;
    const get = () => {
      written ??= made.sql(`UPDATE file SET hash = ? WHERE id = 'VX-1'`, hashOf('sha1', 'x'));
      return bytes;
    };
    made.place.files.set('a', Object.defineProperty({ ...made.place.files.get('a')! }, 'bytes', { get }));
    await made.service.tick();
    await written;
    expect((await states(made))['VX-1']).toBe('waiting');
    expect(await told(made, before)).toEqual([]);
  });

  it('are not missing where their storage is out of reach, or another file system is there', async () => {
    const made = await world();
    made.place.files.delete('a');
    made.place.offline = 'Unplugged';
    await made.service.tick();
    expect(await states(made)).toEqual({ 'VX-1': 'waiting', 'VX-2': 'waiting' });
    made.place.offline = undefined;
    await made.sql(`UPDATE storage_method SET identity = 'another'`);
    await made.clock.advance(61_000);
    await made.service.tick();
    expect(await states(made)).toEqual({ 'VX-1': 'waiting', 'VX-2': 'waiting' });
  });

  it('are found whenever they come, and are forgotten with the files and the schedule', async () => {
    const made = await world();
    await hashed(made, 'c');
    expect(await states(made)).toMatchObject({ 'VX-3': 'waiting' });
    await made.ask('PUT /API/file/VX-3/state/LOST');
    await made.ask('DELETE /API/file/VX-3/entity');
    expect(Object.keys(await states(made))).toEqual(['VX-1', 'VX-2']);
    expect((await made.ask('DELETE /API/storage/VX-1/fixity')).status).toBe(204);
    expect((await made.ask('GET /API/storage/VX-1/fixity')).status).toBe(404);
    await made.service.tick();
    expect([await made.rows('fixity_file'), await made.rows('fixity_storage')]).toEqual([[], []]);
    expect((await made.rows('fixity_count')).every(({ files }) => files === 0)).toBe(true);
  });

  it('are read no faster than the storage allows', async () => {
    const made = await world();
    made.place.put('large', 'x'.repeat(128 * 1024), 0);
    await made.scan();
    for (const [request, body] of [
      [put, { days: 10, bytesPerSecond: 65_536 }],
      ['POST /API/file/VX-3/fixity'],
    ] as const)
      expect((await made.ask(request, body)).status).toBe(200);
    const tick = made.service.tick();
    await made.clock.untilSleeps(made.clock.now() + 1000);
    await made.clock.advance(1000);
    expect(await states(made)).toMatchObject({ 'VX-3': 'waiting' });
    await made.clock.advance(60_000);
    await tick;
    expect(await states(made)).toMatchObject({ 'VX-3': 'verified' });
  });
});

describe('a check of a long file', () => {
  /** Counts the bytes that are read, and hangs at an offset until it is let go. */
  function hanging(inner: StorageScheme, at: () => number, ranges: number[]): StorageScheme {
    return {
      ...inner,
      open(address) {
        const driver = inner.open(address);
        return {
          ...driver,
          read(path, options) {
            const from = options?.range?.from ?? 0;
            ranges.push(from);
            return from === at() ? new Promise(() => undefined) : driver.read(path, options);
          },
        };
      },
    };
  }

  it('that was cut off begins again once, and then goes on behind its last range', async () => {
    const clock = testClock();
    const database = await migratedDatabase();
    const storage = memoryStorage(() => clock.now());
    const bytes = 'film '.repeat(200);
    storage.place('memory:///in/').put('film', bytes, 0);
    const ranges: number[] = [];
    let hangsAt = Number.NaN;
    const settings = { fixityRange: 256 };
    const plugins = [memoryPlugin(hanging(storage, () => hangsAt, ranges))];
    const last = scanWorldOf(
      await openWorld('fetch', { clock, database: outliving(database), plugins, settings }),
      storage,
    );
    await storageRows(last);
    await last.scan();
    expect((await last.ask(put, { days: 10 })).status).toBe(200);
    for (const offset of [512, 768]) {
      hangsAt = offset;
      const killed = await openService({ clock, database: outliving(database), plugins, settings });
      ranges.length = 0;
      void killed.service.tick();
      await expect.poll(() => ranges.at(-1)).toBe(offset);
      // The process is gone with its lease: the clock of the test does not wake it.
      await last.sql('UPDATE fixity_storage SET lease_until = 0');
    }
    expect(ranges).toEqual([0, 256, 512, 768]);
    hangsAt = Number.NaN;
    ranges.length = 0;
    await last.service.tick();
    expect(ranges).toEqual([768]);
    expect(await states(last)).toEqual({ 'VX-1': 'verified' });
    expect((await last.rows('fixity_storage'))[0]).toMatchObject({ reading: null, lease_until: 0 });
  });
});
