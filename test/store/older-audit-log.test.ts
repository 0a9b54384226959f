import { expect, it, onTestFinished } from 'vitest';
import { readEntries } from '../../src/audit/list/store.ts';
import { insertEntry, sizeOf } from '../../src/audit/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { openStore } from '../../src/store/store.ts';
import { migrations, nobody, storeSettings } from '../support/store.ts';

const everything = {
  from: 0,
  to: 10,
  user: undefined,
  method: undefined,
  path: '/',
  prefix: true,
  newestFirst: false,
  offset: 0,
  limit: 10,
} as const;

it('a database with an audit log of an older program opens, keeps its entries and knows how many there are', async () => {
  const database = await openDatabase('memory:');
  await openStore(database, storeSettings({ migrations: migrations.slice(0, 4) })).migrate();
  const old = (at: number, user: string | null) => ({
    sql: `INSERT INTO audit (at, user, method, path, status, count) VALUES (?, ?, 'GET', '/x', 401, 3)`,
    args: [at, user],
  });
  await database.write([old(1, null), old(2, 'alice'), old(3, null)]);
  const store = openStore(database, storeSettings());
  onTestFinished(() => store.close());
  await store.migrate();
  expect(await sizeOf(store)).toEqual({ oldest: 1, rows: 3, anonymous: 2 });
  const found = await readEntries(store, everything);
  expect(found.map(({ at, user, count, lastAt }) => [at, user, count, lastAt])).toEqual([
    [1, null, 3, null],
    [2, 'alice', 3, null],
    [3, null, 3, null],
  ]);
  // Entries of the new program add to their own rows only, and both counters follow.
  const entry = { ...found[0]!, at: 5, count: 1, fold: 'f' };
  await store.commit({ changes: [insertEntry(entry), insertEntry({ ...entry, at: 7 })], events: [] }, nobody);
  expect(await readEntries(store, { ...everything, from: 5 })).toMatchObject([{ at: 5, count: 2, lastAt: 7 }]);
  expect(await sizeOf(store)).toEqual({ oldest: 1, rows: 4, anonymous: 3 });
  await store.commit({ changes: [{ sql: 'DELETE FROM audit WHERE at < 4', args: [] }], events: [] }, nobody);
  expect(await sizeOf(store)).toEqual({ oldest: 5, rows: 1, anonymous: 1 });
});
