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

/** Lists pages of so many files, and tells where each begins. */
const paged =
  (limit: number, asked: (after: string) => unknown) =>
  (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return {
        ...driver,
        async list({ after, ...rest }) {
          await asked(after ?? '');
          return driver.list!({ ...rest, limit, ...(after !== undefined && { after }) });
        },
      };
    },
  });

const scanRow = async (world: ScanWorld) => (await world.rows('storage_scan'))[0]!;
const second = 1000;

describe('scans come', () => {
  it('every interval from the end of the last one, and on request in between', async () => {
    const asked: number[] = [];
    const world: ScanWorld = await openScanWorld({
      scheme: paged(10, () => asked.push(world.clock.now())),
      scanInterval: 60,
    });
    await world.scan();
    const began = world.clock.now();
    for (let times = 0; times < 130; times += 10) {
      await world.clock.advance(10 * second);
      await world.service.tick();
    }
    expect(asked.map((at) => (at - began) / second)).toEqual([0, 60, 120]);
    await world.scan();
    expect((await scanRow(world))['due']).toBe(world.clock.now() + 60 * second);
  });

  it('only on request if they are off', async () => {
    const world = await openScanWorld({ scanInterval: -1 });
    world.place.put('a', 'x');
    expect(await world.scan()).toEqual(['file/new a']);
    expect((await scanRow(world))['due']).toBeNull();
    await world.clock.advance(10 * 86_400_000);
    await world.service.tick();
    expect((await world.row('a'))!['state']).toBe('OPEN');
  });

  it('stamp the storage with their end, and with the room of its disk where it is asked', async () => {
    const world = await openScanWorld();
    world.place.room = 5000;
    await world.scan();
    expect((await world.rows('storage'))[0]).toMatchObject({ seen_at: world.clock.now(), capacity: 1_000_000 });
    await world.sql('UPDATE storage SET auto_detect = 1');
    await world.scan();
    expect((await world.rows('storage'))[0]).toMatchObject({ capacity: 5000, free_detected: 5000, state: 'READY' });
  });

  it.each(['EXPORT', 'EXTERNAL'])(
    'not to a storage of the type %s: it is asked only whether it is there',
    async (type) => {
      const world = await openScanWorld({ type });
      world.place.put('a', 'x');
      await world.sql(
        `INSERT INTO storage_scan (storage_id, due, instance, lease_until, fence, found) VALUES ('VX-1', 0, '', 0, 0, '{}')`,
      );
      await world.service.tick();
      expect([(await world.rows('file')).length, (await world.rows('storage'))[0]!['state']]).toEqual([0, 'READY']);
    },
  );

  it('to no deleted storage', async () => {
    const world = await openScanWorld();
    await world.ask('POST /API/storage/VX-1/rescan');
    await world.ask('DELETE /API/storage/VX-1');
    world.place.put('a', 'x');
    await world.service.tick();
    expect(await world.rows('file')).toEqual([]);
  });

  it('to no end in a storage that is deleted meanwhile: nothing is written into it', async () => {
    const world: ScanWorld = await openScanWorld({
      scheme: paged(10, () => world.ask('DELETE /API/storage/VX-1')),
    });
    world.place.put('a', 'x');
    await world.ask('POST /API/storage/VX-1/rescan');
    await world.service.tick();
    expect((await world.events()).filter(({ name }) => name === 'file/new')).toEqual([]);
  });
});

describe('a storage that nobody browses', () => {
  it('has the files that clients name, and closes those that rest', async () => {
    const world = await openScanWorld();
    await world.sql('UPDATE storage_method SET browse = 0');
    for (const path of ['a', 'b', 'unknown']) world.place.put(path, 'x');
    for (const path of ['a', 'b', 'gone']) await world.ask(`POST /API/storage/VX-1/file?path=${path}&state=OPEN`);
    expect(await world.scan()).toEqual([]);
    await world.clock.advance(15 * second);
    world.place.put('b', 'xx');
    expect(await world.scan()).toEqual(['file/close a', 'file/hash a']);
    expect((await world.rows('file')).map(({ path, state }) => `${path} ${state}`)).toEqual([
      'a CLOSED',
      'b OPEN',
      'gone OPEN',
    ]);
  });
});

describe('a turn', () => {
  it('ends with its budget, and the next one goes on behind the last path', async () => {
    const asked: string[] = [];
    const clock = testClock();
    const world = await openScanWorld({
      clock,
      scheme: paged(2, async (after) => {
        asked.push(after);
        await clock.advance(20);
      }),
    });
    for (const path of ['a', 'b', 'c', 'd', 'e']) world.place.put(path, 'x');
    await world.ask('POST /API/storage/VX-1/rescan');
    await world.service.tick(30);
    expect([asked, (await world.rows('file')).length, (await scanRow(world))['cursor']]).toEqual([['', 'b'], 4, 'd']);
    expect((await scanRow(world))['lease_until']).toBe(0);
    await world.service.tick(30);
    expect([asked, (await world.rows('file')).length, (await scanRow(world))['cursor']]).toEqual([
      ['', 'b', 'd'],
      5,
      null,
    ]);
  });

  it('tells how far it is', async () => {
    const told: unknown[] = [];
    const world: ScanWorld = await openScanWorld({
      scheme: paged(2, async () => {
        const { body } = await world.ask('GET /API/work');
        const { work } = JSON.parse(body) as {
          work: { kind: string; leased: number; running: number; piece?: { done: number }[] }[];
        };
        const { leased, running, piece } = work.find(({ kind }) => kind === 'scans')!;
        told.push([leased, running, piece?.map(({ done }) => done)]);
      }),
    });
    for (const path of ['a', 'b', 'c']) world.place.put(path, 'x');
    await world.scan();
    expect(told).toEqual([
      [1, 1, [0]],
      [1, 1, [0]],
    ]);
  });
});

describe('two instances', () => {
  async function both(scheme: (inner: StorageScheme) => StorageScheme = (inner) => inner) {
    const clock = testClock();
    const database = await migratedDatabase();
    const storage = memoryStorage(() => clock.now());
    const options = { clock, database: outliving(database), plugins: [memoryPlugin(scheme(storage))] };
    const one = await openWorld('fetch', options);
    const other = await openService(options);
    await storageRows(one);
    return { world: scanWorldOf(one, storage), other, clock };
  }

  it('have one scan of a storage', async () => {
    let pages = 0;
    let second: Promise<unknown> | undefined;
    const { world, other } = await both(
      paged(2, async () => {
        pages++;
        second ??= other.service.tick();
        await second;
      }),
    );
    for (const path of ['a', 'b', 'c']) world.place.put(path, 'x');
    expect(await world.scan()).toEqual(['file/new a', 'file/new b', 'file/new c']);
    expect(pages).toBe(2);
    await other.close();
  });

  it('go on where the other one stopped: nothing is written by who lost the lease', async () => {
    let hangs: (() => void) | undefined;
    let isFirst = true;
    const { world, other, clock } = await both(
      paged(2, async (after) => {
        if (after === '' || !isFirst) return;
        isFirst = false;
        await new Promise<void>((resolve) => {
          hangs = resolve;
        });
      }),
    );
    for (const path of ['a', 'b', 'c']) world.place.put(path, 'x');
    const scanning = world.scan();
    await expect.poll(() => hangs !== undefined).toBe(true);
    // The process hangs: nobody moves the lease on.
    await world.sql('UPDATE storage_scan SET lease_until = 0');
    await other.service.tick();
    expect((await world.rows('file')).map(({ path }) => path)).toEqual(['a', 'b', 'c']);
    const rows = JSON.stringify(await world.rows('storage_scan'));
    hangs!();
    await scanning;
    expect(JSON.stringify(await world.rows('storage_scan'))).toBe(rows);
    expect((await world.events()).filter(({ name }) => name === 'file/new')).toHaveLength(3);
    await clock.advance(1);
    await other.close();
  });
});
