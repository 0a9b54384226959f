import { describe, expect, it } from 'vitest';
import { openScanWorld, type ScanWorld } from '../../support/storages.ts';

/** SHA-1 of "hello". */
const hello = 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d';

/** A closed and hashed file at "a". */
async function withClosed(options: Parameters<typeof openScanWorld>[0] = {}): Promise<ScanWorld> {
  const world = await openScanWorld(options);
  world.place.put('a', 'hello');
  await world.scan();
  await world.scanAfter(20);
  expect(await world.row('a')).toMatchObject({ state: 'CLOSED', hash: hello });
  return world;
}

describe('a file that a scan sees', () => {
  it('is open first, closed after the limit and in a second scan, then hashed', async () => {
    const world = await openScanWorld();
    world.place.put('in/a.mov', 'hello');
    expect(await world.scan()).toEqual(['file/new in/a.mov']);
    expect(await world.row('in/a.mov')).toMatchObject({
      state: 'OPEN',
      size: 5,
      folder: 'in/',
      name: 'a.mov',
      extension: 'mov',
      modified: world.clock.now() * 1000,
      hash: null,
    });
    expect(await world.scanAfter(9)).toEqual([]);
    expect(await world.scanAfter(1)).toEqual(['file/close in/a.mov', 'file/hash in/a.mov']);
    expect(await world.row('in/a.mov')).toMatchObject({ state: 'CLOSED', hash: hello, hash_due: null });
    expect(await world.scanAfter(100)).toEqual([]);
  });

  it('is closed at once if it was written to before the closing time', async () => {
    const world = await openScanWorld();
    for (const path of ['a', 'b']) world.place.put(path, 'hello');
    await world.clock.advance(9_999);
    world.place.put('b', 'other');
    await world.clock.advance(1);
    expect(await world.scan()).toEqual(['file/new a', 'file/close a', 'file/new b', 'file/hash a']);
    expect(await world.row('a')).toMatchObject({ state: 'CLOSED', hash: hello, hash_due: null });
    expect(await world.row('b')).toMatchObject({ state: 'OPEN', hash: null });
  });

  it('stays open however late the second scan comes, as long as it grows', async () => {
    const world = await openScanWorld();
    world.place.put('a', 'h');
    await world.scan();
    for (const text of ['he', 'hel', 'hell']) {
      await world.clock.advance(60_000);
      world.place.put('a', text);
      expect(await world.scan()).toEqual([]);
      expect(await world.row('a')).toMatchObject({ state: 'OPEN', size: text.length });
    }
    expect(await world.scanAfter(15)).toEqual(['file/close a', 'file/hash a']);
  });

  it('grows by its time alone, too: a writer may reserve its size ahead', async () => {
    const world = await openScanWorld();
    world.place.put('a', 'xxxxx');
    await world.scan();
    await world.clock.advance(60_000);
    world.place.put('a', 'hello');
    expect(await world.scan()).toEqual([]);
    expect(await world.row('a')).toMatchObject({ state: 'OPEN', size: 5, changed_at: world.clock.now() });
  });

  it('is closed by the limit of its storage', async () => {
    const world = await openScanWorld();
    await world.metadata('closeLimit', '120');
    world.place.put('a', 'hello');
    await world.scan();
    expect(await world.scanAfter(119)).toEqual([]);
    expect(await world.scanAfter(1)).toEqual(['file/close a', 'file/hash a']);
  });

  it('is closed by the second scan with the limit 0, and never by the first', async () => {
    const world = await openScanWorld();
    await world.metadata('closeLimit', '0');
    world.place.put('a', 'hello');
    expect(await world.scan()).toEqual(['file/new a']);
    expect(await world.scan()).toEqual(['file/close a', 'file/hash a']);
  });

  it('has its time as metadata, in milliseconds', async () => {
    const world = await openScanWorld();
    world.place.put('a', 'hello', 1_700_000_000_123_456);
    await world.scan();
    const pairs = async () => (await world.rows('key_value')).map(({ key, value }) => [key, value]);
    expect(await pairs()).toEqual([['mtime', '1700000000123']]);
    world.place.put('a', 'hello!', 1_800_000_000_123_456);
    await world.scan();
    expect(await pairs()).toEqual([['mtime', '1800000000123']]);
  });

  it('is closed without a hash on a storage whose files are not hashed', async () => {
    const world = await openScanWorld();
    await world.metadata('hashMode', 'off');
    world.place.put('a', 'hello');
    await world.scan();
    expect(await world.scanAfter(20)).toEqual(['file/close a']);
    expect(await world.row('a')).toMatchObject({ hash: null, hash_due: null });
  });

  it('is not seen where its whole path matches "excludefilter"; a row that has such a path stays as it is', async () => {
    const world = await openScanWorld();
    await world.metadata('excludefilter', String.raw`\..*|.*/\..*`);
    for (const path of ['.hidden', 'in/.part', 'in/a.b', 'c']) world.place.put(path, 'x');
    await world.sql(`INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
      VALUES ('VX-900', 900, 'VX-1', '.mine', '', '.mine', '', 'CLOSED', 0, 0, 1)`);
    expect(await world.scan()).toEqual(['file/new c', 'file/new in/a.b']);
    expect(await world.row('.mine')).toMatchObject({ state: 'CLOSED' });
  });
});

describe('a closed file', () => {
  it('is open again, without its hash, after a change of size or time, and closes again', async () => {
    const world = await withClosed();
    world.place.put('a', 'other');
    expect(await world.scan()).toEqual(['file/change a']);
    expect(await world.row('a')).toMatchObject({ state: 'OPEN', hash: null, hash_due: null });
    expect(await world.scanAfter(15)).toEqual(['file/close a', 'file/hash a']);
  });

  it('is missing after one scan that does not find it, lost after two, and told of once', async () => {
    const world = await withClosed();
    world.place.files.delete('a');
    expect(await world.scan()).toEqual([]);
    expect(await world.row('a')).toMatchObject({ state: 'MISSING' });
    expect(await world.scanAfter(60)).toEqual(['file/change a']);
    expect(await world.row('a')).toMatchObject({ state: 'LOST' });
    expect(await world.scanAfter(60)).toEqual([]);
  });

  it.each(['MISSING', 'LOST'])('is closed, with an event, if it was %s and is found again as it was', async (state) => {
    const world = await withClosed();
    const kept = world.place.files.get('a')!;
    world.place.files.delete('a');
    await world.scan();
    if (state === 'LOST') await world.scan();
    expect(await world.row('a')).toMatchObject({ state });
    world.place.files.set('a', kept);
    expect(await world.scan()).toEqual(['file/change a']);
    expect(await world.row('a')).toMatchObject({ state: 'CLOSED', hash: hello });
  });

  it('is open if it is found again with other bytes', async () => {
    const world = await withClosed();
    world.place.files.delete('a');
    await world.scan();
    world.place.put('a', 'other bytes');
    expect(await world.scan()).toEqual(['file/change a']);
    expect(await world.row('a')).toMatchObject({ state: 'OPEN', hash: null, size: 11 });
  });

  // A deleted file leaves its inode to the next one, so that the number proves nothing.
  it("that another one of its size and time replaces is hashed again: the same bytes are nobody's news", async () => {
    const world = await withClosed();
    const { modified } = world.place.files.get('a')!;
    world.place.put('a', 'hello', modified);
    expect(await world.scan()).toEqual([]);
    expect(await world.row('a')).toMatchObject({ state: 'CLOSED', hash: hello, hash_due: null });
    expect((await world.row('a'))!['content']).toBe(world.place.files.get('a')!.version);
  });

  it('that another one of its size and time replaces is told of where its bytes are others', async () => {
    const world = await withClosed();
    const { modified } = world.place.files.get('a')!;
    world.place.put('a', 'other', modified);
    expect(await world.scan()).toEqual(['file/change a', 'file/hash a']);
    expect((await world.row('a'))!['hash']).not.toBe(hello);
  });
});

describe('a row whose file is not there', () => {
  it.each(['NONE', 'TO_APPEAR', 'ARCHIVED', 'AWAITING_SYNC', 'BEING_READ', 'UNKNOWN'])(
    'is never lost in the state %s',
    async (state) => {
      const world = await openScanWorld();
      expect((await world.ask(`POST /API/storage/VX-1/file?path=a&state=${state}`)).status).toBe(200);
      expect([...(await world.scan()), ...(await world.scan())]).toEqual([]);
      expect(await world.row('a')).toMatchObject({ state });
    },
  );

  it('still waits for its deletion', async () => {
    const world = await withClosed({ settings: { deleteGraceHours: 24 } });
    await world.ask('PUT /API/storage/file/VX-1/state/TO_BE_DELETED');
    world.place.files.delete('a');
    expect([...(await world.scan()), ...(await world.scan())]).toEqual([]);
    expect(await world.row('a')).toMatchObject({ state: 'TO_BE_DELETED' });
  });
});

describe('a row whose file is seen for the first time', () => {
  it.each(['NONE', 'TO_APPEAR'])('goes from %s to OPEN, and closes', async (state) => {
    const world = await openScanWorld();
    await world.ask(`POST /API/storage/VX-1/file?path=a&state=${state}`);
    world.place.put('a', 'hello');
    expect(await world.scan()).toEqual(['file/change a']);
    expect(await world.row('a')).toMatchObject({ state: 'OPEN', size: 5 });
    expect(await world.scanAfter(15)).toEqual(['file/close a', 'file/hash a']);
  });

  it('and that a client registered as CLOSED keeps its state, and is hashed', async () => {
    const world = await openScanWorld();
    await world.sql(`INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
      VALUES ('VX-900', 900, 'VX-1', 'a', '', 'a', '', 'CLOSED', 0, 0, 1)`);
    world.place.put('a', 'hello');
    expect(await world.scan()).toEqual(['file/hash a']);
    expect(await world.row('a')).toMatchObject({ state: 'CLOSED', size: 5, hash: hello });
  });

  it('and that a client has just called OPEN waits the whole limit', async () => {
    const world = await withClosed();
    await world.clock.advance(3_600_000);
    await world.ask('PUT /API/storage/file/VX-1/state/OPEN');
    expect(await world.scanAfter(9)).toEqual([]);
    expect(await world.scanAfter(1)).toEqual(['file/close a', 'file/hash a']);
  });
});
