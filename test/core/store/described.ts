import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable, type SQLiteTableWithColumns } from 'drizzle-orm/sqlite-core';
import { rooms } from '../../../src/composition/rooms.ts';
import * as schema from '../../../src/core/store/schema.ts';
import type { Store } from '../../../src/core/store/store.ts';

/** A table and the room that lists it; `store` for those that every room may use. */
export interface RoomTable {
  readonly room: string;
  readonly name: string;
  readonly table: SQLiteTable;
}

export const configOf = (table: SQLiteTable) => getTableConfig(table as SQLiteTableWithColumns<never>);

const tablesOf = (room: string, declared: object): readonly RoomTable[] =>
  Object.values(declared)
    .filter((each): each is SQLiteTable => is(each, SQLiteTable))
    .map((table) => ({ room, name: configOf(table).name, table }));

/** Every table of the context. */
export const tables: readonly RoomTable[] = [
  ...tablesOf('store', schema),
  ...rooms.flatMap((room) => tablesOf(room.name, 'tables' in room ? room.tables : {})),
];

/** Description of a table in the words of SQLite. */
export function described(table: SQLiteTable) {
  const { columns, indexes, primaryKeys, uniqueConstraints } = configOf(table);
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

export async function tableNames(store: Pick<Store, 'read'>): Promise<ReadonlySet<string>> {
  // A virtual table keeps its rows in tables of its own, which no room describes.
  const names = await store.read(
    `SELECT name FROM sqlite_master AS each WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND NOT EXISTS
      (SELECT 1 FROM sqlite_master AS virtual WHERE sql LIKE 'CREATE VIRTUAL TABLE%' AND each.name GLOB virtual.name || '_*')`,
  );
  return new Set(names.map(([name]) => String(name)));
}

/** Structure of a table as the database reports it. */
export async function found(store: Pick<Store, 'read'>, name: string) {
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
