import { type Column, getTableColumns, getTableName, SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ServiceError } from '../lib/errors.ts';
import type { Statement } from './contract.ts';
import { equal } from './rows.ts';
import { guard as guardTable } from './schema.ts';
import { type Source, statement, type Values, value, writes } from './statement.ts';

/**
 * Guards travel inside a commit: SQL that holds, or nothing of the commit happens. Reading first and writing then
 * would leave a gap in which another request, or another instance, changes what was read.
 */

/** A guard that is filled per request. */
type PreparedGuard<V extends Values> = (values: V, refusal: ServiceError) => Statement;

const columns = getTableColumns(guardTable);

/** `source`: a condition in SQL, or a query that must have a row. */
export function guard<V extends Values = Values>(source: Source<SQLWrapper>): PreparedGuard<V> {
  return statement((db) => {
    const condition = source instanceof SQL ? source : sql`EXISTS ${source(db)}`;
    // An unknown condition (NULL) does not hold.
    const column = sql.identifier(columns.broken.name);
    return sql`INSERT INTO ${writes(getTableName(guardTable))} (${column}) SELECT 1 WHERE (${condition}) IS NOT TRUE`;
  });
}

/** Guard that a row has all of the values: `const leaseHolds = rowExists(publication, 'id', 'instance')`. */
export const rowExists = <T extends SQLiteTable, K extends Extract<keyof T['$inferSelect'], string>>(
  table: T,
  ...keys: readonly K[]
) =>
  guard<Readonly<Pick<T['$inferSelect'], K>>>(
    sql`EXISTS (SELECT 1 FROM ${sql.identifier(getTableName(table))} WHERE ${equal(table, keys)})`,
  );

type Key = string | number;
type KeyGuard = (key: Key, refusal: ServiceError) => Statement;

/** Guard that the row with the key exists: `const userMustExist = mustExist(user.id)`. */
export function mustExist(key: Column): KeyGuard {
  const prepared = guard(sql`EXISTS (${rowWith(key)})`);
  return (value, refusal) => prepared({ key: value }, refusal);
}

export function mustNotExist(key: Column): KeyGuard {
  const prepared = guard(sql`NOT EXISTS (${rowWith(key)})`);
  return (value, refusal) => prepared({ key: value }, refusal);
}

/** Guards that the row exists with the expected version. */
export function expectVersion(
  key: Column,
  version: Column,
): (key: Key, version: number, refusal: ServiceError) => Statement {
  const prepared = guard(sql`EXISTS (${rowWith(key)} AND ${named(version)} = ${value('version')})`);
  return (value, expected, refusal) => prepared({ key: value, version: expected }, refusal);
}

function rowWith(key: Column): SQL {
  return sql`SELECT 1 FROM ${sql.identifier(getTableName(key.table))} WHERE ${named(key)} = ${value('key')}`;
}

function named(column: Column): SQL {
  return sql`${sql.identifier(column.name)}`;
}
