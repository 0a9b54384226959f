import { describe, expect, it } from 'vitest';
import type { Listing, StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { openScanWorld, type ScanWorld } from '../../support/storages.ts';

/** A storage whose driver is not quite the one in memory. */
const changed =
  (change: (driver: StorageDriver) => Partial<StorageDriver>) =>
  (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return { ...driver, ...change(driver) };
    },
  });

/** Is told of each page behind its listing: what happens then, the listing does not know. */
const behindList = (tell: (page: Listing) => Promise<unknown> | Listing | undefined) =>
  changed((driver) => ({
    async list(options) {
      const page = await driver.list!(options);
      const other = await tell(page);
      return other && 'files' in Object(other) ? (other as Listing) : page;
    },
  }));

const stateOf = async (world: ScanWorld, path: string) => (await world.row(path))?.['state'];

describe('the merge of a listing with the rows', () => {
  it('goes by the bytes of whole paths: "a-b/x" is before "a/x", and what is above U+FFFF behind all else', async () => {
    const world = await openScanWorld();
    const paths = ['a', 'a-b/x', 'a.b', 'a/x', 'a/x/y', 'a0', '\ufffd', '\u{1f600}', 'ä', 'Z'];
    for (const path of paths) world.place.put(path, 'x');
    expect(await world.scan()).toHaveLength(paths.length);
    expect(await world.scanAfter(20)).toHaveLength(2 * paths.length);
    expect([...(await world.scan()), ...(await world.scan())]).toEqual([]);
    const states = (await world.rows('file')).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['CLOSED']));
  });

  it('judges nothing by a listing in another order, such as one that sorts names folder by folder', async () => {
    let sorts = false;
    const world = await openScanWorld({
      scheme: behindList((page) =>
        sorts ? { files: page.files.toSorted((a, b) => (a.path < b.path ? 1 : -1)) } : undefined,
      ),
    });
    for (const path of ['a-b/x', 'a/x']) world.place.put(path, 'x');
    await world.scan();
    sorts = true;
    expect(await world.scan()).toEqual([]);
    expect((await world.rows('storage_method'))[0]!['failure_message']).toContain('in the order of the bytes');
    expect((await world.rows('file')).map(({ state }) => state)).toEqual(['OPEN', 'OPEN']);
  });

  it('goes over pages: many files, many rows, and none of both', async () => {
    const world = await openScanWorld();
    const path = (at: number) => `d${at % 7}/f${String(at).padStart(4, '0')}`;
    for (let at = 0; at < 2500; at++) world.place.put(path(at), '');
    expect(await world.scan()).toHaveLength(2500);
    for (let at = 0; at < 2500; at++) if (at % 20 === 0) world.place.files.delete(path(at));
    await world.scan();
    const missing = (await world.rows('file')).filter(({ state }) => state === 'MISSING').map(({ path: at }) => at);
    expect(missing.toSorted()).toEqual(Array.from({ length: 125 }, (_, at) => path(at * 20)).toSorted());
    world.place.files.clear();
    await world.ask('POST /API/storage/VX-1/rescan?confirm=true');
    await world.service.tick();
    const states = (await world.rows('file')).map(({ state }) => state);
    expect([
      states.filter((each) => each === 'LOST').length,
      states.filter((each) => each === 'MISSING').length,
    ]).toEqual([125, 2375]);
  });

  it('notices each difference in a page that was all closed before, and names with line ends hide none', async () => {
    for (const [difference, sql] of Object.entries({
      'a state': `UPDATE file SET state = 'MISSING' WHERE path = 'b'`,
      'a time': `UPDATE file SET modified = modified - 1 WHERE path = 'b'`,
      'a size': `UPDATE file SET size = 9 WHERE path = 'b'`,
      'a version': `UPDATE file SET content = NULL WHERE path = 'b'`,
      'a file without a row': `DELETE FROM file WHERE path = 'b'`,
      'a row without a file': `INSERT INTO file SELECT 'VX-9', 9, storage_id, 'b\n', folder, name, extension, state, size, modified,
        content, identity, hash, digest, hash_due, changed_at, timestamp, version, delete_due FROM file WHERE path = 'b'`,
      'a row with the line of another': `UPDATE file SET path = 'b' || char(10) || content || char(10) || size WHERE path = 'b'`,
    })) {
      const world = await openScanWorld();
      for (const path of ['a', 'b', 'c']) world.place.put(path, path);
      await world.scan();
      await world.scanAfter(20);
      expect(new Set((await world.rows('file')).map(({ state }) => state))).toEqual(new Set(['CLOSED']));
      expect(await world.scan()).toEqual([]);
      const versions = async () =>
        JSON.stringify((await world.rows('file')).map(({ path, version }) => [path, version]));
      await world.sql(sql);
      const before = await versions();
      await world.scan();
      expect([difference, await versions()]).not.toEqual([difference, before]);
    }
  });

  it('leaves what is below a folder that nobody may read, and an entry that is no file', async () => {
    let dark = false;
    const world = await openScanWorld({
      scheme: behindList((page) =>
        dark
          ? {
              files: page.files.filter(({ path }) => path === 'z'),
              skipped: [
                { path: 'dark/', reason: 'No right' },
                { path: 'link', reason: 'A symbolic link' },
              ],
            }
          : undefined,
      ),
    });
    for (const path of ['dark/x', 'dark/y/z', 'darker', 'link', 'z']) world.place.put(path, 'x');
    await world.scan();
    dark = true;
    world.place.files.delete('darker');
    await world.scan();
    expect(await Promise.all(['dark/x', 'dark/y/z', 'darker', 'link'].map((path) => stateOf(world, path)))).toEqual([
      'OPEN',
      'OPEN',
      'MISSING',
      'OPEN',
    ]);
    expect(JSON.parse(String((await world.rows('storage_scan'))[0]!['found']))).toMatchObject({
      skipped: 2,
      missing: 1,
    });
  });

  it('changes nothing when a later page fails, and the storage is OFFLINE', async () => {
    let fails = false;
    const world = await openScanWorld({
      scheme: changed((driver) => ({
        async list({ after, ...rest }) {
          if (fails && after !== undefined) throw Object.assign(new Error('Stale handle'), { kind: 'failed' });
          return driver.list!({ ...rest, limit: 2, ...(after !== undefined && { after }) });
        },
      })),
    });
    for (const path of ['a', 'b', 'c', 'd']) world.place.put(path, 'x');
    await world.scan();
    fails = true;
    world.place.files.delete('d');
    await world.scan();
    expect((await world.rows('file')).map(({ state }) => state)).toEqual(['OPEN', 'OPEN', 'OPEN', 'OPEN']);
    expect((await world.rows('storage'))[0]).toMatchObject({ state: 'OFFLINE' });
  });
});

describe('a scan beside uploads and deletions', () => {
  it('leaves a file to its upload in parts, however long it takes', async () => {
    const world = await openScanWorld();
    const headers = { accept: 'application/json', size: '11', index: '0', 'content-type': 'application/octet-stream' };
    const request = 'POST /API/storage/VX-1/file/data?path=a&transferId=t';
    const sent = { as: ['admin', 'password of admin'] as const, request, headers, body: 'hello ' };
    expect((await world.send(sent)).status).toBe(200);
    expect([...(await world.scanAfter(100)), ...(await world.scanAfter(100))]).toEqual([]);
    expect(await stateOf(world, 'a')).toBe('OPEN');
    const last = await world.send({ ...sent, headers: { ...headers, index: '6' }, body: 'world' });
    expect(JSON.parse(last.body)).toMatchObject({ state: 'CLOSED' });
    expect(await world.scan()).toEqual([]);
  });

  it('does not undo what was uploaded since it listed', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const world: ScanWorld = await openScanWorld({
      scheme: behindList(async () => {
        await meanwhile?.();
        meanwhile = undefined;
      }),
    });
    const put = (request: string, body: string) =>
      world.send({
        as: ['admin', 'password of admin'],
        request,
        body,
        headers: { 'content-type': 'application/octet-stream' },
      });
    await put('POST /API/storage/VX-1/file/data?path=b', 'old');
    meanwhile = async () => {
      await put('POST /API/storage/VX-1/file/data?path=a', 'new');
      await put('POST /API/storage/file/VX-1/data', 'newer');
    };
    const told = await world.scan();
    expect(told).toEqual(['file/new a', 'file/close a', 'file/hash a', 'file/change b', 'file/close b', 'file/hash b']);
    expect([await stateOf(world, 'a'), await stateOf(world, 'b')]).toEqual(['CLOSED', 'CLOSED']);
  });

  it('does not bring back what was deleted since it listed', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const world: ScanWorld = await openScanWorld({
      scheme: behindList(async () => {
        await meanwhile?.();
        meanwhile = undefined;
      }),
    });
    world.place.put('a', 'x');
    await world.scan();
    meanwhile = async () => {
      world.place.files.delete('a');
      await world.ask('DELETE /API/storage/file/VX-1/entity');
    };
    expect(await world.scan()).toEqual(['file/delete VX-1']);
    expect(await world.rows('file')).toEqual([]);
  });

  it('does not see bytes that wait for their deletion, but others that come to their path', async () => {
    const world = await openScanWorld({ settings: { deleteGraceHours: 24 } });
    world.place.put('a', 'x');
    await world.scan();
    await world.ask('PUT /API/storage/file/VX-1/state/TO_BE_DELETED');
    expect(await world.scan()).toEqual([]);
    world.place.put('a', 'somebody else');
    expect(await world.scan()).toEqual(['file/new a']);
  });

  it('leaves a path whose bytes are just getting it', async () => {
    const world = await openScanWorld();
    world.place.put('a', 'x');
    await world.sql(`INSERT INTO publication (id, token, method_id, storage_id, path, file_id, mode, state, size, actor, at,
        instance, lease_until) VALUES ('p', 't', 'VX-1', 'VX-1', 'a', 'VX-50', 'remove', 'CLOSED', 1, '{}', 0, 'other', 9e15)`);
    expect(await world.scan()).toEqual([]);
    await world.sql('DELETE FROM publication');
    expect(await world.scan()).toEqual(['file/new a']);
  });

  it('leaves a file that somebody changes at the same moment, and writes the others', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const world: ScanWorld = await openScanWorld({
      scheme: changed((driver) => ({
        async stat(path) {
          await meanwhile?.();
          meanwhile = undefined;
          return driver.stat(path);
        },
      })),
    });
    for (const path of ['a', 'b']) world.place.put(path, 'x');
    await world.scan();
    await world.scanAfter(20);
    for (const path of ['a', 'b']) world.place.put(path, 'xyz');
    meanwhile = () => world.ask('PUT /API/storage/file/VX-1/state/ARCHIVED');
    expect(await world.scan()).toEqual(['file/change a', 'file/change b']);
    expect([await stateOf(world, 'a'), await stateOf(world, 'b')]).toEqual(['ARCHIVED', 'OPEN']);
  });
});
