import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import type { Store } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { findFiles } from '../../src/storage/files/list/find.ts';
import type { SortField } from '../../src/storage/files/list/query.ts';
import { anywhere, type FileQuery, pathFilter } from '../../src/storage/files/list/query.ts';
import { usageOfAll } from '../../src/storage/files/list/store.ts';
import { newUser } from '../support/cast.ts';
import { fillFiles, fillStorages } from '../support/many-rows.ts';
import { openWorld } from '../support/matrix.ts';
import { asking } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { fileStore, memoryStore, temporaryDirectory } from '../support/store.ts';
import { librarian } from '../support/world.ts';

const ask = asking(librarian);

const bounds = { values: 1000, steps: 100_000, text: 1000, pattern: 255 };
const all = {
  ids: undefined,
  states: undefined,
  hashes: undefined,
  used: undefined,
  unqueued: false,
  places: anywhere,
};

async function find(
  store: Store,
  query: Partial<FileQuery>,
  field: SortField = 'fileId',
  kind: Database['kind'] = 'file',
) {
  const usage = await usageOfAll(store, { groups: null, importables: 0 });
  return findFiles({
    reader: store,
    kind,
    bounds,
    usage,
    query: { ...all, ...query, order: { field, descending: false } },
    slice: { after: undefined, offset: 0, limit: 3 },
    counts: true,
    maxGathered: 10,
  });
}

const pattern = (path: string) => ({
  places: pathFilter({ path, recursive: true, wildcard: true, ignorecase: false }, 255),
});

describe('what a list of files costs is bounded before it starts', () => {
  it('refuses a pattern with more files in reach than the setting allows', async () => {
    const store = await memoryStore();
    await fillFiles(store, { files: 1100, storage: 1 });
    await expect(find(store, pattern('*x'))).rejects.toMatchObject({ code: 'bad-parameter', detail: { id: 'path' } });
    await expect(find(store, pattern('folder-01/*7.mov'))).resolves.toMatchObject({ hits: 10 });
    await store.close();
  });

  it('refuses a pattern whose comparison is too long', async () => {
    const store = await memoryStore();
    await fillFiles(store, { files: 900, storage: 1 });
    await expect(find(store, pattern(`*${'a'.repeat(100)}b*`))).rejects.toMatchObject({ code: 'bad-parameter' });
    await expect(find(store, pattern('*7.mov'))).resolves.toMatchObject({ hits: 90 });
    await store.close();
  });

  it('refuses to look at many files in a database in memory, which has no other thread', async () => {
    const store = await memoryStore();
    await fillFiles(store, { files: 1100, storage: 1 });
    await expect(find(store, { used: false }, 'fileId', 'memory')).rejects.toMatchObject({ code: 'bad-parameter' });
    await expect(find(store, { used: false })).resolves.toMatchObject({ hits: 1100 });
    await expect(find(store, {}, 'size', 'memory')).resolves.toMatchObject({ hits: 1100 });
    await store.close();
  });

  it('lists the files of very many storages by id, and refuses to merge so many in another order', async () => {
    const store = await memoryStore();
    await fillStorages(store, 450);
    for (const storage of [1, 200, 450]) await fillFiles(store, { files: 2, storage, begin: storage * 10 });
    const changes = Array.from({ length: 450 }, (_, at) => ({
      sql: `INSERT INTO file_usage VALUES (?, 'OPEN', 1, 0) ON CONFLICT DO NOTHING`,
      args: [`VX-${at + 1}`],
    }));
    await store.commit({ changes, events: [] }, { user: 'test' });
    expect((await find(store, {})).page.map(({ id }) => id)).toEqual(['VX-10', 'VX-11', 'VX-2000']);
    await expect(find(store, {}, 'size')).rejects.toMatchObject({ code: 'bad-parameter', detail: { id: 'sort' } });
    await expect(find(store, { states: ['CLOSED', 'LOST'] })).resolves.toMatchObject({ hits: 6 });
    await store.close();
  });

  it('merges as many storages as it promises', async () => {
    const store = await fileStore();
    onTestFinished(() => store.close());
    await fillStorages(store, 400);
    await store.commit(
      {
        changes: Array.from({ length: 400 }, (_, at) => ({
          sql: `INSERT INTO file_usage VALUES (?, 'OPEN', 1, 0)`,
          args: [`VX-${at + 1}`],
        })),
        events: [],
      },
      { user: 'test' },
    );
    await fillFiles(store, { files: 2, storage: 400 });
    expect((await find(store, {}, 'timestamp')).page).toHaveLength(2);
  });
});

describe('a long list of files runs beside the serving thread', () => {
  it('and a short one does not wait for others', async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const database = await openDatabase(`file:${join(directory.path, 'portico.db')}`);
    const asked: string[] = [];
    const watched: Database = {
      ...database,
      kind: database.kind,
      grouped: database.grouped,
      get pending() {
        return database.pending;
      },
      get figures() {
        return database.figures;
      },
      read: (...given) => database.read(...given),
      query(caller, ...given) {
        asked.push(caller);
        return database.query(caller, ...given);
      },
      write: (...given) => database.write(...given),
      guardGroups: (guard) => database.guardGroups(guard),
      close: () => database.close(),
    };
    const world = await openWorld('fetch', { database: watched });
    await prepare(world, [newUser(librarian, ['_file_read'])]);
    await fillFiles(world.service.store, { files: 300, storage: 1 });
    const callers = async (target: string) => {
      asked.length = 0;
      expect((await world.send(ask(`GET /API/storage/VX-1/file${target}`))).status).toBe(200);
      return new Set(asked);
    };
    for (const short of ['', '?number=100', '?state=CLOSED', '?sort=size', '?first=1000', '?cursor=*'])
      expect([short, await callers(short)]).toEqual([short, new Set()]);
    for (const long of [
      '?number=250',
      '?path=folder-01',
      '?filter=noitem',
      '?first=5000',
      '?prefix=true',
      '?state=CLOSED&sort=size',
    ])
      expect([long, await callers(long)]).toEqual([long, new Set(['librarian'])]);
  });
});
