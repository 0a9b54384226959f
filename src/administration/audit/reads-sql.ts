import { sql } from 'drizzle-orm';
import type { Statement } from '../../core/store/contract.ts';
import { type DueTime, earliestDue } from '../../core/store/due.ts';
import { eachOf, query, type Reader, statement, type Values, value, writes } from '../../core/store/statement.ts';

/** The columns of a row, in their order: many rows go as one JSON text. */
export type ReadRow = readonly [
  at: number,
  user: string | null,
  runAs: string | null,
  method: string,
  path: string,
  query: string | null,
  matrix: string | null,
  status: number,
  address: string | null,
  count: number,
];

const insert = statement<{ rows: readonly unknown[] }>(
  sql`INSERT INTO ${writes('audit_read')} (at, user, run_as, method, path, query, matrix, status, address, count)
    SELECT ${sql.raw(Array.from({ length: 10 }, (_, at) => `value ->> ${at}`).join(', '))} FROM ${eachOf('rows')}`,
);

export const insertReads = (rows: readonly ReadRow[]): Statement => insert({ rows });

const bounds = query(
  sql`SELECT (SELECT at FROM audit_read ORDER BY at LIMIT 1),
    (SELECT max(sequence) FROM audit_read) - (SELECT min(sequence) FROM audit_read) + 1`,
  { oldest: sql<number | null>``, rows: sql<number | null>`` },
);

/** Age and maximal number of the reads, derived from their first and last row. */
export async function sizeOfReads(reader: Reader): Promise<{ oldest: number; rows: number }> {
  const [row] = await bounds(reader, {});
  return { oldest: row?.oldest ?? Number.POSITIVE_INFINITY, rows: row?.rows ?? 0 };
}

interface Removal extends Values {
  /** Deletes reads before that time. */
  readonly before: number;
  readonly max: number;
  /** Limit of rows deleted by one statement. */
  readonly batch: number;
}

/** `kept`: milliseconds that reads are kept, in SQL. */
export const readsDue = (kept: DueTime, max: number): DueTime =>
  earliestDue(
    sql`SELECT at + ${kept} FROM (SELECT at FROM audit_read ORDER BY at LIMIT 1)`,
    sql`CASE WHEN (SELECT max(sequence) FROM audit_read) - (SELECT min(sequence) FROM audit_read) + 1 > ${max} THEN 0 END`,
  );

const removals = [
  sql`SELECT sequence FROM audit_read WHERE at < ${value('before')} ORDER BY at LIMIT ${value('batch')}`,
  sql`SELECT sequence FROM audit_read WHERE sequence <= (SELECT max(sequence) FROM audit_read) - ${value('max')}
    ORDER BY sequence LIMIT ${value('batch')}`,
].map((rows) =>
  statement<Removal>(sql`DELETE FROM ${writes('audit_read')} WHERE sequence IN (${rows}) RETURNING sequence`, {
    returns: true,
  }),
);

export const removeReads = (removal: Removal): Statement[] => removals.map((remove) => remove(removal));
