import { sql } from 'drizzle-orm';
import { query, type Reader, value } from '../../../core/store/statement.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import type { AuditEntry } from '../store.ts';
import { audit } from '../tables.ts';

export interface AuditFilter {
  readonly from: number;
  readonly to: number;
  readonly user: string | undefined;
  readonly method: string | undefined;
  readonly path: string;
  /** Whether the path is a prefix. Otherwise it must be equal. */
  readonly prefix: boolean;
  readonly newestFirst: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** No more rows than these are looked through, from the newer or the older end of the time that is asked for. */
const mostSeen = 100_000;

const columns = {
  at: audit.at,
  user: audit.user,
  runAs: audit.runAs,
  method: audit.method,
  path: audit.path,
  query: audit.query,
  matrix: audit.matrix,
  contentType: audit.contentType,
  contentLength: audit.contentLength,
  status: audit.status,
  reason: audit.reason,
  address: audit.address,
  requestId: audit.requestId,
  count: audit.count,
  lastAt: audit.lastAt,
};

const shown = sql.raw(
  'sequence, at, user, run_as, method, path, query, matrix, content_type, content_length, status, reason, address, request_id, count, last_at',
);
/** Columns of a read or search, in the same order. Reads have no reason, address or content type. */
const shownOfRead = sql.raw(
  'sequence, at, user, run_as, method, path, query, matrix, NULL, NULL, status, NULL, address, NULL, count, NULL',
);

/** The rows of a time by an index, those of one user by theirs; then whatever else is asked for. */
function pageOf(byUser: boolean, newestFirst: boolean) {
  const direction = sql.raw(newestFirst ? 'DESC' : 'ASC');
  const order = sql`ORDER BY at ${direction}, sequence ${direction}`;
  const ofUser = byUser ? sql`user = ${value('user')} AND` : sql``;
  const fitting = (table: 'audit' | 'audit_read') => sql`FROM (SELECT * FROM ${sql.raw(table)}
      WHERE ${ofUser} at >= ${value('from')} AND at <= ${value('to')} ${order} LIMIT ${sql.raw(String(mostSeen))})
    WHERE (${value('method')} IS NULL OR method = ${value('method')})
      AND (path = ${value('path')} OR (${value('prefix')} = 1 AND substr(path, 1, length(${value('path')})) = ${value('path')}))`;
  const first = sql`${order} LIMIT ${value('limit')} + ${value('offset')}`;
  const page = query(
    sql`SELECT ${sql.raw(
      Object.values(columns)
        .map(({ name }) => name)
        .join(', '),
    )} FROM (
      SELECT 0 AS source, * FROM (SELECT ${shown} ${fitting('audit')} ${first})
      UNION ALL SELECT 1, * FROM (SELECT ${shownOfRead} ${fitting('audit_read')} ${first}))
      ORDER BY at ${direction}, source ${direction}, sequence ${direction}
      LIMIT ${value('limit')} OFFSET ${value('offset')}`,
    columns,
  );
  const count = (table: 'audit' | 'audit_read') => sql`(SELECT count(*) ${fitting(table)})`;
  return {
    page,
    hits: query(sql`SELECT ${count('audit')} + ${count('audit_read')}`, { hits: sql<number>`` }),
  };
}

const queries = {
  'all-desc': pageOf(false, true),
  'all-asc': pageOf(false, false),
  'user-desc': pageOf(true, true),
  'user-asc': pageOf(true, false),
};

const valuesOf = ({ user = '', method, prefix, ...rest }: AuditFilter) => ({
  ...rest,
  user,
  method: method ?? null,
  prefix: prefix ? 1 : 0,
});

const queriesFor = ({ user, newestFirst }: AuditFilter) =>
  queries[`${user === undefined ? 'all' : 'user'}-${newestFirst ? 'desc' : 'asc'}`];

/** `most`: values that a page may have. */
export const readEntries = (
  reader: Reader,
  filter: AuditFilter,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly AuditEntry[]> => pageWithin(queriesFor(filter).page, reader, valuesOf(filter), most, 'rows');

export async function countEntries(reader: Reader, filter: AuditFilter): Promise<number> {
  return (await queriesFor(filter).hits(reader, valuesOf(filter)))[0]?.hits ?? 0;
}
