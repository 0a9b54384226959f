import { type SQL, sql } from 'drizzle-orm';
import { query, type Reader } from './statement.ts';

/**
 * Due time of work that the database knows, as a query or an expression: milliseconds since 1970, 0: at once, NULL:
 * nothing is due.
 */
export type DueTime = SQL;

/** A query of one column with names. */
export type NameQuery = SQL;

const never = Number.MAX_SAFE_INTEGER;

/** Due at once while the query has a row. */
export const dueWhile = (rows: SQL): DueTime => sql`CASE WHEN EXISTS (${rows}) THEN 0 END`;

/** The first of several due times. */
export const earliestDue = (...times: readonly DueTime[]): DueTime =>
  sql`(SELECT min(column1) FROM (VALUES ${sql.join(
    times.map((time) => sql`((${time}))`),
    sql`, `,
  )}))`;

/** Work by name. Without a due time of its own it is due at any time. */
interface NamedWork {
  readonly name: string;
  due?(): DueTime;
}

/**
 * Reads the due times of all works in one query, in their order. Infinity: nothing is due. Undefined: switched off.
 * `off`: a query of the names of the works that are.
 */
export function prepareDueTimes(
  works: readonly NamedWork[],
  off: NameQuery,
): (reader: Reader) => Promise<(number | undefined)[]> {
  const columns = works.map(
    ({ name, due }) => sql<number | null>`CASE WHEN ${name} NOT IN (SELECT name FROM off)
      THEN ifnull((${due?.() ?? sql`0`}), ${never}) END`,
  );
  const dueTimes = query(
    sql`WITH off (name) AS MATERIALIZED (${off}) SELECT ${columns.length > 0 ? sql.join(columns, sql`, `) : sql`NULL`}`,
    Object.fromEntries(columns.map((column, index) => [`work${index}`, column])),
  ).first;
  return async (reader) => {
    const times = await dueTimes(reader, {});
    return works.map((_, index) => {
      const due = times?.[`work${index}`] ?? undefined;
      return due === never ? Number.POSITIVE_INFINITY : due;
    });
  };
}
