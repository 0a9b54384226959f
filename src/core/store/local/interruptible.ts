import type { Row, RowCount, SqlValue } from '../contract.ts';
import type { InterruptibleStatement, Statements } from './native.ts';

/** Matches statements that can be wrapped. */
const asks = /^\s*(?:SELECT|WITH|VALUES)\b/i;

/** False for statements that run to their end, such as PRAGMA. */
export const isInterruptible = (sql: string): boolean => asks.test(sql);

/** The first row waits for all others: then nothing is left to do on the thread that takes them over. */
const wholeAtOnce = (sql: string): string => `WITH found AS MATERIALIZED (${sql}) SELECT * FROM found`;

/** The first row of a statement, without a look at the next one. */
export const firstOf = (sql: string): string => `SELECT * FROM (${sql}) LIMIT 1`;

/** Reads that `interrupt` of their connection ends at any moment. */
export async function readBeside(
  cache: Statements<InterruptibleStatement>,
  sql: string,
  args: readonly SqlValue[],
  most: RowCount,
): Promise<Row[]> {
  if (!isInterruptible(sql)) return most === 'one' ? cache.get(sql).first(args) : cache.get(sql).all(args);
  return cache.get(most === 'one' ? firstOf(sql) : wholeAtOnce(sql)).beside(args);
}
