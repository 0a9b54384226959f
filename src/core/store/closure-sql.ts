import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Links from entities to others of their kind: two columns of a table. `where`: the rows that count. */
export interface Links {
  readonly from: SQLiteColumn;
  readonly to: SQLiteColumn;
  readonly where?: string;
}

/** Puts text around a query. */
export const enclosed = <T extends SQL | string>(before: string, inner: T, behind: string): T =>
  (typeof inner === 'string' ? before + inner + behind : sql`${sql.raw(before)}${inner}${sql.raw(behind)}`) as T;

/**
 * Table `name (id)` of a recursive query: the rows of a start and what links lead to, each once, the nearest first. A LIMIT
 * of its only reader ends the walk. `root` stays as the start has it. With a maximum, `distance` is the last column.
 */
export function closure<T extends SQL | string>(
  name: string,
  start: T,
  { from, to, where }: Links,
  columns: 'id' | 'root, id' = 'id',
  max?: number,
): T {
  const [distance, next, near] = max ? [', distance', ', distance + 1', ` AND distance < ${max}`] : ['', '', ''];
  const step = `SELECT ${columns.replace('id', to.name)}${next} FROM ${name} CROSS JOIN ${getTableName(to.table)}
      ON ${from.name} = ${name}.id${where ? ` AND ${where}` : ''}${near}`;
  return enclosed(`${name} (${columns}${distance}) AS (`, start, ` UNION ${step})`);
}
