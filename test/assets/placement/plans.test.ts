import { beforeAll, describe, expect, it } from 'vitest';
import { otherwisePlaced } from '../../../src/assets/items/collections/folders-sql.ts';
import { folderOfItem, pathsInFolder } from '../../../src/assets/items/collections/load.ts';
import { collectionRows } from '../../../src/assets/metadata/computed-sql.ts';
import { loadPlaced } from '../../../src/assets/placement/load.ts';
import { ruledBy } from '../../../src/assets/placement/room.ts';
import {
  dueCount,
  filesBehind,
  firstWalk,
  nextDueFile,
  waitedFor,
  waitingFor,
} from '../../../src/assets/placement/store.ts';
import { otherwiseNamed } from '../../../src/assets/shapes/filenames-sql.ts';
import type { Row, SqlValue } from '../../../src/core/store/contract.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ruledAmong, ruledPage, ruledStorages } from '../../../src/storage/storage-rules/ruled-storages.ts';
import { memoryStore, nobody } from '../../support/store.ts';

const storages = 450;
let store: Store;

beforeAll(async () => {
  store = await memoryStore();
  const insert = `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
      scan_interval, show_importables, priority, rest, version, created_at)
    SELECT 'VX-' || value, value, 'LOCAL', 'READY', 1000, 0, 50, 80, 60, 1, 'MEDIUM', '{}', 1, 0 FROM json_each(?)`;
  const serials = JSON.stringify(Array.from({ length: storages }, (_, index) => index + 1));
  await store.commit({ changes: [{ sql: insert, args: [serials] }], events: [] }, nobody);
});

/** Every read that is made, with the number of its rows. */
function watched() {
  const made: { readonly sql: string; readonly args: readonly SqlValue[]; readonly rows: number }[] = [];
  const reader: Reader = {
    async read(sql, args = [], max) {
      const rows = (await store.read(sql, args, max)) as readonly Row[];
      made.push({ sql, args, rows: rows.length });
      return rows as Row[];
    },
  };
  return { made, reader };
}

const page = { limit: 50 };
/** Reads of the work beside requests, and tables that one of their steps may go through from one end to the other. */
type Read = readonly [what: string, read: (reader: Reader) => unknown, mayScan?: RegExp];
const reads: readonly Read[] = [
  ['the next components', (reader) => nextDueFile(reader, { now: 1, ...page })],
  ['components that wait for a storage', (reader) => waitingFor(reader, { id: 'VX-1', ...page })],
  // A single probe of an index for each storage.
  ['storages that components wait for', (reader) => waitedFor(reader, {}), /^storage$/],
  ['how many wait, up to a limit', (reader) => dueCount(reader, page), /^placing_(?:due|walk)$/],
  ['the first walk', (reader) => firstWalk(reader, {}), /^placing_walk$/],
  ['components with all that rules ask', (reader) => loadPlaced(reader, ['VX-1', 'VX-2'], 1)],
  ['the folder of an item', (reader) => folderOfItem(reader, 'VX-1')],
  ['where a file may be in it', (reader) => pathsInFolder(reader, 'VX-1')],
  ['a file in another folder', (reader) => otherwisePlaced(reader, { componentId: 'VX-1', folder: 'a/', now: 1 })],
  ['a file with another name', (reader) => otherwiseNamed(reader, { componentId: 'VX-1', now: 1 })],
  ['collections that are folders', (reader) => collectionRows.first(reader, { ids: '["VX-1"]', max: 9 }), /^up$/],
  ['what a file belongs to', (reader) => ruledBy(reader, { file: 'VX-1' })],
  ['the collections of an item', (reader) => ruledBy(reader, { item: 'VX-1' })],
  ['a page of the files of a storage', (reader) => filesBehind(reader, { storageId: 'VX-1', after: 7, ...page })],
  ['a page of storages', (reader) => ruledPage(reader, 7)],
  ['storages that are named', (reader) => ruledAmong(reader, ['VX-1', 'VX-2'])],
];

describe('storage rules in work: no read goes through a whole table', () => {
  it.each(reads.map(([what, read, mayScan]) => [what, { read, mayScan }] as const))(
    '%s',
    async (_what, { read, mayScan = /^$/ }) => {
      const { made, reader } = watched();
      await read(reader);
      expect(made.length).toBeGreaterThan(0);
      for (const { sql, args } of made) {
        const plan = await store.read(`EXPLAIN QUERY PLAN ${sql}`, args);
        const scanned = plan
          .map((row) => /^SCAN (\S+)(.*)$/.exec(String(row.at(-1))))
          .filter((found) => found !== null && !/VIRTUAL TABLE|SUBQUERY|CONSTANT/.test(found[0]))
          // Excludes rows that a recursive query has found so far, and lists in JSON.
          .filter((found) => !/^(?:up|above|found|given|candidate|\(|1$)/.test(found![1]!))
          .map((found) => found![1]!);
        expect(
          scanned.filter((table) => !mayScan.test(table)),
          `${sql}\n${JSON.stringify(plan)}`,
        ).toEqual([]);
      }
    },
  );
});

it('thousands of storages are read page by page, never at once', async () => {
  const { made, reader } = watched();
  expect((await ruledStorages(reader)).size).toBe(storages);
  expect(made.map(({ rows }) => rows)).toEqual([200, 200, 50]);
  const first = await ruledPage(reader, -1);
  expect([first.storages.length, first.next]).toEqual([200, 200]);
  expect(await ruledPage(reader, 400)).toMatchObject({ next: undefined });
});
