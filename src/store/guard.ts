import { type Column, getTableColumns, getTableName, SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { ServiceError } from '../lib/errors.ts';
import type { Statement } from './contract.ts';
import { guard as guardTable } from './schema.ts';
import { type Source, statement, type Values, writes } from './statement.ts';

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
  const prepared = guard(sql`EXISTS (${rowWith(key)} AND ${named(version)} = ${sql.placeholder('version')})`);
  return (value, expected, refusal) => prepared({ key: value, version: expected }, refusal);
}

function rowWith(key: Column): SQL {
  return sql`SELECT 1 FROM ${sql.identifier(getTableName(key.table))} WHERE ${named(key)} = ${sql.placeholder('key')}`;
}

function named(column: Column): SQL {
  return sql`${sql.identifier(column.name)}`;
}
