import { describe, expect, it } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testRandom } from '../../support/random.ts';
import { ask as askAdmin } from '../../support/requests.ts';
import { memoryPlugin } from '../../support/service.ts';
import { openScanWorld, type ScanWorld } from '../../support/storages.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `f${String(at).padStart(2, '0')}`);

/** Closed files that are known. */
async function withFiles(count: number, options: Parameters<typeof openScanWorld>[0] = {}): Promise<ScanWorld> {
  const world = await openScanWorld(options);
  for (const name of names(count)) world.place.put(name, 'x');
  await world.scan();
  await world.scanAfter(20);
  return world;
}

const statesOf = async (world: ScanWorld) => {
  const counts: Record<string, number> = {};
  for (const { state } of await world.rows('file')) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
  return counts;
};

const method = async (world: ScanWorld) =>
  (JSON.parse((await world.ask('GET /API/storage/VX-1')).body) as { method: Record<string, unknown>[] }).method[0]!;

/** Takes files away, and keeps them. */
function takeAway(world: ScanWorld, paths: readonly string[]) {
  const kept = new Map(world.place.files);
  for (const path of paths) world.place.files.delete(path);
  return () => {
    for (const [path, file] of kept) world.place.files.set(path, file);
  };
}

describe('a scan that misses more than a tenth of the files', () => {
  it('stops, says so in the document, the work and the log, and waits for a person', async () => {
    const world = await withFiles(30);
    takeAway(world, names(30));
    expect(await world.scan()).toEqual([]);
    expect(await statesOf(world)).toEqual({ CLOSED: 20, MISSING: 10 });
    const says = /more than 10 of 30 are missing.*POST \/storage\/VX-1\/rescan\?confirm=true/;
    expect((await method(world))['failureMessage']).toMatch(says);
    expect(world.lines.find(({ event }) => event === 'scan-stopped')).toMatchObject({ storage: 'VX-1' });
    const work = JSON.parse((await world.ask('GET /API/work')).body) as { work: { kind: string; piece?: object[] }[] };
    expect(work.work.find(({ kind }) => kind === 'scans')!.piece).toMatchObject([
      { name: 'VX-1', of: 30, says: expect.stringMatching(says) },
    ]);
    await world.clock.advance(3_600_000);
    await world.service.tick();
    expect(await statesOf(world)).toEqual({ CLOSED: 20, MISSING: 10 });
  });

  it('gives no file up however often somebody asks for another one, and goes on once the files are back', async () => {
    const world = await withFiles(30);
    const back = takeAway(world, names(30));
    for (let times = 0; times < 4; times++) expect(await world.scan()).toEqual([]);
    expect(await statesOf(world)).toEqual({ CLOSED: 20, MISSING: 10 });
    back();
    expect(await world.scan()).toHaveLength(10);
    expect(await statesOf(world)).toEqual({ CLOSED: 30 });
    expect((await method(world))['failureMessage']).toBeUndefined();
  });

  it('goes on where a person says that the files are gone for good', async () => {
    const world = await withFiles(30);
    takeAway(world, names(25));
    await world.scan();
    expect((await world.ask('POST /API/storage/VX-1/rescan?confirm=true')).status).toBe(200);
    await world.service.tick();
    expect(await statesOf(world)).toEqual({ CLOSED: 5, LOST: 10, MISSING: 15 });
    expect(await world.scan()).toHaveLength(15);
    expect(await statesOf(world)).toEqual({ CLOSED: 5, LOST: 25 });
    takeAway(world, names(30));
    await world.scan();
    expect(await statesOf(world)).toEqual({ LOST: 25, MISSING: 5 });
  });

  it('has the share that the operator sets, and lets a few files go whatever their share is', async () => {
    const world = await withFiles(40, { settings: { maxLostPercent: 50 } });
    takeAway(world, names(20));
    await world.scan();
    expect(await statesOf(world)).toEqual({ CLOSED: 20, MISSING: 20 });
    const few = await withFiles(10);
    takeAway(few, names(10));
    await few.scan();
    expect(await statesOf(few)).toEqual({ MISSING: 10 });
  });
});

describe('a storage that does not answer', () => {
  it('is OFFLINE at the next scan, with what was wrong, and no file changes; then READY again', async () => {
    const world = await withFiles(3);
    const state = async () => (await world.rows('storage'))[0]!['state'];
    expect(await state()).toBe('READY');
    world.place.offline = 'Unplugged smb://user:secret@nas/share';
    await world.clock.advance(60_000);
    await world.service.tick();
    expect(await state()).toBe('OFFLINE');
    expect(await method(world)).toMatchObject({
      failureMessage: 'Unplugged smb://***@nas/share',
      lastFailure: expect.any(String),
      lastSuccess: expect.any(String),
    });
    expect(JSON.stringify(world.lines)).not.toContain('secret');
    expect(await statesOf(world)).toEqual({ CLOSED: 3 });
    world.place.offline = undefined;
    await world.clock.advance(60_000);
    await world.service.tick();
    expect(await state()).toBe('READY');
    expect((await method(world))['failureMessage']).toBeUndefined();
  });

  it('is told by the first look of the only server, and a scan that is not due is left where it was', async () => {
    const database = await migratedDatabase();
    const world = await withFiles(3, { database });
    const started = async () => {
      const random = testRandom(2);
      const plugins = [memoryPlugin(world.storage)];
      const next = await openWorld('fetch', { database, clock: world.clock, random, plugins, isOnlyServer: true });
      // The first of them to end closes the database.
      for (const each of [world, next]) each.expectErrors('audit-not-written');
      await next.service.tick();
      const { body } = await next.send(askAdmin('GET /API/selftest/storages'));
      const lacks = JSON.parse((await next.send(askAdmin('GET /API/session'))).body).lacks as string[];
      return { test: JSON.parse(body), lacksStorage: lacks.includes('storage') };
    };
    const due = async () => (await world.rows('storage_scan'))[0]!['due'];
    const before = [await due(), await statesOf(world)];
    world.place.files.delete(names(1)[0]!);
    expect(await started()).toMatchObject({ test: { status: 'ok' }, lacksStorage: false });
    expect([await due(), await statesOf(world)], 'no scan').toEqual(before);
    world.place.offline = 'Unplugged';
    expect(await started()).toMatchObject({
      test: { status: 'failed', message: ['Storage VX-1 is OFFLINE: Unplugged'] },
      lacksStorage: true,
    });
  });

  it('is left to other instances for half a minute if this one never saw it', async () => {
    const world = await openScanWorld();
    const state = async () => (await world.rows('storage'))[0]!['state'];
    const before = await state();
    world.place.offline = 'Unplugged';
    await world.scan();
    expect(await state()).toBe(before);
    for (let times = 0; times < 3; times++) {
      await world.clock.advance(11_000);
      await world.service.tick();
    }
    expect(await state()).toBe('OFFLINE');
  });

  it('is READY if another of its methods answers, and the failed method says why', async () => {
    const world = await openScanWorld();
    world.storage.place('memory:///other/').offline = 'Unplugged';
    await world.sql(`INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
      VALUES ('VX-7', 7, 'VX-1', 'memory:///other/', 1, 1, 1, 0, '', 1)`);
    world.place.put('a', 'x');
    expect(await world.scan()).toEqual(['file/new a']);
    const methods = await world.rows('storage_method');
    expect(methods.map(({ last_success, last_failure }) => [last_success !== null, last_failure !== null])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect((await world.rows('storage'))[0]).toMatchObject({ state: 'READY' });
  });

  it('keeps a state that a caller has asked for', async () => {
    const world = await withFiles(1);
    await world.sql(`UPDATE storage SET state = 'EVACUATING'`);
    await world.scan();
    expect((await world.rows('storage'))[0]).toMatchObject({ state: 'EVACUATING' });
  });
});

describe('an instance that sees another file system than before', () => {
  it('takes no scan, and changes no file; a person can say that it is the right one', async () => {
    let identity = 'first';
    const world = await withFiles(3, {
      scheme: (inner) => ({
        ...inner,
        open: (address) => ({ ...inner.open(address), check: async () => ({ identity }) }),
      }),
    });
    identity = 'an empty mount point';
    takeAway(world, names(3));
    const before = JSON.stringify(await world.rows('file'));
    const fences = (await world.rows('storage_scan'))[0]!['fence'];
    for (let times = 0; times < 2; times++) expect(await world.scan()).toEqual([]);
    expect((await world.rows('storage_scan'))[0]!['fence']).toBe(fences);
    expect(JSON.stringify(await world.rows('file'))).toBe(before);
    expect((await world.rows('storage'))[0]).toMatchObject({ state: 'OFFLINE' });
    expect((await method(world))['failureMessage']).toContain('rescan?confirm=true');
    expect(await statesOf(world)).toEqual({ CLOSED: 3 });
    await world.ask('POST /API/storage/VX-1/rescan?confirm=true');
    await world.clock.advance(11_000);
    await world.service.tick();
    expect((await world.rows('storage_method'))[0]).toMatchObject({ identity });
    expect(await statesOf(world)).toEqual({ MISSING: 3 });
  });

  it('also when it goes while it is listed: what it did not list is not missing', async () => {
    let identity = 'first';
    let goes = false;
    const world = await withFiles(3, {
      scheme: (inner) => ({
        ...inner,
        open: (address) => ({
          ...inner.open(address),
          check: async () => ({ identity }),
          async list() {
            if (!goes) return inner.open(address).list!({ limit: 1000 });
            identity = 'an empty mount point';
            return { files: [] };
          },
          stat: async (path) => (goes ? undefined : inner.open(address).stat(path)),
        }),
      }),
    });
    goes = true;
    expect(await world.scan()).toEqual([]);
    expect(await statesOf(world)).toEqual({ CLOSED: 3 });
    expect((await world.rows('storage'))[0]).toMatchObject({ state: 'OFFLINE' });
  });
});

it('a scan whose "excludefilter" nobody can read waits for a person, and sees nothing', async () => {
  const world = await openScanWorld();
  await world.metadata('excludefilter', '(?=a)');
  world.place.put('a', 'x');
  expect(await world.scan()).toEqual([]);
  expect((await world.rows('storage_scan'))[0]!['problem']).toMatch(
    /^Expected a regular expression as the metadata "excludefilter": .*\. When it is mended: POST \/storage\/VX-1\/rescan$/,
  );
  await world.sql(`DELETE FROM key_value WHERE key = 'excludefilter'`);
  expect(await world.scan()).toEqual(['file/new a']);
});
