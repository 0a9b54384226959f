import { type Column, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { ServiceError } from '../lib/errors.ts';
import type { Statement } from './contract.ts';
import { guard as guardTable } from './schema.ts';
import { compileSql, type Values } from './statement.ts';

/**
 * Guards travel inside a commit: SQL that holds, or nothing of the commit happens. Reading first and writing then
 * would leave a gap in which another request, or another instance, changes what was read.
 */

/** A guard that is filled per request; the condition is SQL with placeholders. */
type PreparedGuard<V extends Values> = (values: V, refusal: ServiceError) => Statement;

const columns = getTableColumns(guardTable);

export function prepareGuard<V extends Values = Values>(condition: SQL): PreparedGuard<V> {
  // An unknown condition (NULL) does not hold.
  const built = compileSql(
    sql`INSERT INTO ${guardTable} (${sql.identifier(columns.broken.name)}) SELECT 1 WHERE (${condition}) IS NOT TRUE`,
  );
  return (values, refusal) => {
    const { text, fill } = built();
    return { sql: text, args: fill(values), refusal };
  };
}

/** Guard with a condition that is built on the spot. Prepare it for frequent requests. */
export function guard(condition: SQL, refusal: ServiceError): Statement {
  return prepareGuard(condition)({}, refusal);
}

type Key = string | number;
type KeyGuard = (key: Key, refusal: ServiceError) => Statement;

/** Guard that the row with the key exists: `const userMustExist = mustExist(user.id)`. */
export function mustExist(key: Column): KeyGuard {
  const prepared = prepareGuard(sql`EXISTS (${rowWith(key)})`);
  return (value, refusal) => prepared({ key: value }, refusal);
}

export function mustNotExist(key: Column): KeyGuard {
  const prepared = prepareGuard(sql`NOT EXISTS (${rowWith(key)})`);
  return (value, refusal) => prepared({ key: value }, refusal);
}

/** Guards that the row exists with the expected version. */
export function expectVersion(
  key: Column,
  version: Column,
): (key: Key, version: number, refusal: ServiceError) => Statement {
  const prepared = prepareGuard(sql`EXISTS (${rowWith(key)} AND ${named(version)} = ${sql.placeholder('version')})`);
  return (value, expected, refusal) => prepared({ key: value, version: expected }, refusal);
}

function rowWith(key: Column): SQL {
  return sql`SELECT 1 FROM ${sql.identifier(getTableName(key.table))} WHERE ${named(key)} = ${sql.placeholder('key')}`;
}

function named(column: Column): SQL {
  return sql`${sql.identifier(column.name)}`;
}
