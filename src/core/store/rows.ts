import { getTableColumns, getTableName, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Maybe } from '../lib/maybe.ts';
import {
  eachEntity,
  oneEntity,
  type PreparedQuery,
  type PreparedStatement,
  query,
  type Reader,
  statement,
  value,
  valuesOf,
  writes,
} from './statement.ts';

/** Statements that differ only in their table. Their values have the names of the columns, as in the rows. */

type Row<T extends SQLiteTable> = T['$inferSelect'];
type NameOf<T extends SQLiteTable> = Extract<keyof Row<T>, string>;
type ValuesOf<T extends SQLiteTable, K extends NameOf<T>> = Readonly<Pick<Row<T>, K>>;

type Find<R, V> = (reader: Reader, values: V) => Maybe<R>;

/** The row with a value, or with all values of several columns. Without `columns` the whole row. */
export function rowBy<T extends SQLiteTable, K extends NameOf<T>, C extends NameOf<T>>(
  table: T,
  key: K | readonly K[],
  ...columns: readonly C[]
): Find<ValuesOf<T, C> | undefined, ValuesOf<T, K>> {
  const find = query((db) =>
    db
      .select(selected(table, columns))
      .from(table as SQLiteTable)
      .where(equal(table, [key].flat())),
  ).reaching(oneEntity);
  return find.first as Find<ValuesOf<T, C> | undefined, ValuesOf<T, K>>;
}

/** Rows with one of the values of a JSON array. `list`: name of that array. Without `columns` whole rows. */
export function rowsAmong<T extends SQLiteTable, L extends string, K extends NameOf<T>>(
  table: T,
  key: NameOf<T>,
  list: L,
  ...columns: readonly K[]
): PreparedQuery<ValuesOf<T, K>, Readonly<Record<L, readonly string[]>>> {
  const find = query((db) =>
    db
      .select(selected(table, columns))
      .from(table as SQLiteTable)
      .where(sql`${columnOf(table, key)} IN ${valuesOf(list)}`),
  ).reaching(eachEntity(list));
  return find as PreparedQuery<ValuesOf<T, K>, Readonly<Record<L, readonly string[]>>>;
}

/** Inserts a row. Without `columns` all of them. */
export const insertInto = <T extends SQLiteTable, K extends NameOf<T>>(table: T, ...columns: readonly K[]) =>
  statement<ValuesOf<T, K>>(() => inserting(table, columns));

/** Inserts a row, or replaces the values of the row with the same key. Without `columns` all of them. */
export const putInto = <T extends SQLiteTable, K extends NameOf<T>>(
  table: T,
  key: NameOf<T> | readonly NameOf<T>[],
  ...columns: readonly K[]
) =>
  statement<ValuesOf<T, K>>(() => {
    const keys: readonly string[] = [key].flat();
    const others = namesOf(table, columns).filter((name) => !keys.includes(name));
    const changes = others.map((name) => sql`${named(table, name)} = excluded.${named(table, name)}`);
    return sql`${inserting(table, columns)} ON CONFLICT (${listed(table, keys)}) DO UPDATE SET ${sql.join(changes, comma)}`;
  });

/** Sets `columns` of the row with a key, or with all values of several columns. */
export const updateBy = <T extends SQLiteTable, J extends NameOf<T>, K extends NameOf<T>>(
  table: T,
  key: J | readonly J[],
  ...columns: readonly K[]
) =>
  statement<ValuesOf<T, J | K>>(() => {
    const changes = columns.map((name) => sql`${named(table, name)} = ${value(name)}`);
    return sql`UPDATE ${writes(getTableName(table))} SET ${sql.join(changes, comma)} WHERE ${equal(table, [key].flat())}`;
  });

/** Deletes the rows that have all of the values. */
export const deleteBy = <T extends SQLiteTable, K extends NameOf<T>>(
  table: T,
  ...keys: readonly K[]
): PreparedStatement<ValuesOf<T, K>> =>
  statement<ValuesOf<T, K>>(() => sql`DELETE FROM ${writes(getTableName(table))} WHERE ${equal(table, keys)}`);

const comma = sql`, `;

/** Columns of a selection in order, for a template: `SELECT ${resultColumns(columns)} FROM`. Tables have their own names there. */
export const resultColumns = (selection: Readonly<Record<string, SQLWrapper>>): SQL =>
  sql.join(Object.values(selection), comma);

const columnOf = (table: SQLiteTable, name: string): SQLiteColumn => getTableColumns(table)[name]!;
const namesOf = (table: SQLiteTable, names: readonly string[]): readonly string[] =>
  names.length > 0 ? names : Object.keys(getTableColumns(table));

const selected = (table: SQLiteTable, columns: readonly string[]) =>
  Object.fromEntries(namesOf(table, columns).map((name) => [name, columnOf(table, name)]));

/** A column without its table: the left side of an assignment must not name it. */
const named = (table: SQLiteTable, name: string): SQL => sql`${sql.identifier(columnOf(table, name).name)}`;
const listed = (table: SQLiteTable, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => named(table, name)),
    comma,
  );

/** Condition that each of the columns has the value of its name. */
export const equal = (table: SQLiteTable, keys: readonly string[]): SQL =>
  sql.join(
    keys.map((key) => sql`${named(table, key)} = ${value(key)}`),
    sql` AND `,
  );

/** Beginning of a statement that inserts a row. Without `columns` all of them. */
export function inserting(table: SQLiteTable, columns: readonly string[]): SQL {
  const names = namesOf(table, columns);
  return sql`INSERT INTO ${writes(getTableName(table))} (${listed(table, names)}) VALUES (${sql.join(names.map(value), comma)})`;
}
