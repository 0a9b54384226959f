import { is } from 'drizzle-orm';
import {
  getTableConfig,
  type SQLiteTable,
  type SQLiteTableWithColumns,
  SQLiteTable as Table,
} from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rooms } from '../../src/rooms.ts';
import * as schema from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../support/store.ts';

const declared = [schema, ...rooms.map((room) => ('tables' in room ? room.tables : {}))];
const tables = declared
  .flatMap((each) => Object.values(each as Record<string, unknown>))
  .filter((one): one is SQLiteTable => is(one, Table));

/** What the schema says, in the words of SQLite. */
function described(table: SQLiteTable) {
  const { columns, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table as SQLiteTableWithColumns<never>);
  const composite = primaryKeys[0]?.columns.map((column) => column.name) ?? [];
  const single = columns.filter((column) => column.primary).map((column) => column.name);
  const key = composite.length > 0 ? composite : single;
  return {
    columns: columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: column.notNull || key.includes(column.name),
      key: key.indexOf(column.name) + 1,
    })),
    indexes: [
      ...columns.filter((column) => column.isUnique).map((column) => ({ unique: true, columns: [column.name] })),
      ...uniqueConstraints.map((unique) => ({ unique: true, columns: unique.columns.map((column) => column.name) })),
      ...indexes.map(({ config }) => ({
        unique: config.unique,
        columns: config.columns.map((column) => ('name' in column ? String(column.name) : '')),
      })),
    ].toSorted(byText),
  };
}

/** What the migrated database says. */
async function found(store: Store, name: string) {
  const columns = await store.read(`SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid`, [name]);
  const list = await store.read(`SELECT name, "unique" FROM pragma_index_list(?) WHERE origin <> 'pk'`, [name]);
  const indexes = [];
  for (const [index, unique] of list) {
    const parts = await store.read('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [index!]);
    indexes.push({ unique: unique === 1, columns: parts.flat() });
  }
  return {
    columns: columns.map(([column, type, required, key]) => ({
      name: column,
      type,
      required: required === 1 || key !== 0,
      key,
    })),
    indexes: indexes.toSorted(byText),
  };
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe('the schema equals the migrated database', () => {
  let store: Store;
  beforeAll(async () => {
    store = await memoryStore();
  });
  afterAll(() => store.close());

  test('no table more, no table less', async () => {
    const names = await store.read(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`);
    expect(names.flat().toSorted()).toEqual(tables.map((table) => getTableConfig(table).name).toSorted());
  });

  test.each(tables.map((table) => [getTableConfig(table).name, table] as const))('%s', async (name, table) => {
    expect(await found(store, name)).toEqual(described(table));
  });
});
