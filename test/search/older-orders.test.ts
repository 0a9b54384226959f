import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { searchPlacesMigration } from '../../src/search/migrations/0047-search-places.ts';
import { fillSlice } from '../../src/search/ordered/store.ts';
import type { Statement } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/store.ts';
import { migrations, nobody, storeSettings } from '../support/store.ts';

const before = migrations.filter(({ number }) => number < searchPlacesMigration.number);

it('the orders of an older program are filled anew from the values, and both go with their entities', async () => {
  const database = await openDatabase('memory:');
  await openStore(database, storeSettings({ migrations: before })).migrate();
  const far = 2 ** 50 + 1;
  const statements = [
    `INSERT INTO item (id, serial, created_at) VALUES ('VX-1', 1, 0), ('VX-2', 2, 0)`,
    `INSERT INTO collection (id, serial, created_at) VALUES ('VX-1', 1, 0)`,
    `INSERT INTO search_ordered (name, field, state, position, several)
       VALUES ('a', 7, 'ready', 0, 1), ('b', 8, 'leaving', 0, 0)`,
    `INSERT INTO search_value (field, entity, val, spans)
       VALUES (7, 1, 1, 1), (7, 1, 3, 1), (7, 1, 9, 1), (7, 2, 3, 1), (7, ${far}, 3, 1)`,
    `INSERT INTO search_rows (id, rows) VALUES (1, '[[7,1],[7,3],[7,9]]'), (${far}, '[[7,3]]')`,
    `INSERT INTO search_order (field, way, key, tie) VALUES (7, 0, 1, -1), (7, 1, 9, 1), (7, 2, 3, 1), (8, 0, 3, -2)`,
  ];
  await database.write(statements.map((sql) => ({ sql, args: [] })));
  const store = openStore(database, storeSettings());
  onTestFinished(() => store.close());
  await store.migrate();
  expect(await store.read('SELECT name, state, position FROM search_ordered')).toEqual([
    ['a', 'filling', Number.MAX_SAFE_INTEGER],
    ['b', 'leaving', 0],
  ]);
  const after = async (change: Statement) => {
    await store.commit({ changes: [change], events: [] }, nobody);
    return store.read('SELECT field, key, tie FROM search_order');
  };
  expect(await after(fillSlice({ field: 7, from: 0, below: Number.MAX_SAFE_INTEGER }))).toEqual([
    [-7, 3, 1],
    [7, 1, -1],
    [7, 3, -far],
    [7, 3, -2],
    [7, 3, 2],
    [7, 3, far],
    [7, 9, 1],
  ]);
  expect(await after({ sql: `DELETE FROM item WHERE id = 'VX-1'`, args: [] })).toEqual([
    [7, 3, -far],
    [7, 3, -2],
    [7, 3, 2],
    [7, 3, far],
  ]);
  expect(await after({ sql: 'DELETE FROM collection', args: [] })).toEqual([
    [7, 3, -2],
    [7, 3, 2],
  ]);
  expect(await store.read('SELECT entity, val FROM search_value')).toEqual([[2, 3]]);
});
