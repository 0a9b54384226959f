import { getTableColumns, sql } from 'drizzle-orm';
import type { Statement } from '../../core/store/contract.ts';
import { type DueTime, earliestDue } from '../../core/store/due.ts';
import { counting } from '../../core/store/revision.ts';
import { inserting } from '../../core/store/rows.ts';
import { query, type Reader, statement, type Values, value, writes } from '../../core/store/statement.ts';
import { deleted, inserted, triggers } from '../../core/store/triggers-sql.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { readsDue } from './reads-sql.ts';
import { audit } from './tables.ts';

/** Entries with the same text as `fold` become one row. Null: a row of its own. */
export type AuditEntry = Omit<typeof audit.$inferSelect, 'sequence' | 'fold'> & { readonly fold?: string | null };

const { sequence: _sequence, ...stored } = getTableColumns(audit);
const { fold: _fold, ...columns } = stored;

const insert = statement(
  () => sql`${inserting(audit, Object.keys(stored))} ON CONFLICT (fold) WHERE fold IS NOT NULL DO UPDATE SET
    count = count + excluded.count, last_at = max(coalesce(last_at, at), coalesce(excluded.last_at, excluded.at))`,
);
/** Adds an entry, or adds its count to the row that it folds into. */
export const insertAuditEntry = (entry: AuditEntry) => insert({ fold: null, ...entry });

/** Request that changed something. */
type Change = Omit<AuditEntry, 'status' | 'count' | 'lastAt' | 'fold'>;

const changeColumns = sql.raw('at, user, method, path, content_type, content_length, reason, address, request_id');
const changeValues = sql`${value('at')}, ${value('user')}, ${value('method')}, ${value('path')}, ${value('contentType')},
  ${value('contentLength')}, ${value('reason')}, ${value('address')}, ${value('requestId')}`;
/**
 * `OR FAIL`: a failed commit is rolled back as a whole, so the engine need not copy pages to undo this statement alone.
 */
const insertPlainChange = statement(
  sql`INSERT OR FAIL INTO ${writes('audit')} (${changeColumns}, status, count) VALUES (${changeValues}, 200, 1)`,
);
const insertOtherChange = statement(
  sql`INSERT OR FAIL INTO ${writes('audit')} (${changeColumns}, run_as, query, matrix, status, count)
    VALUES (${changeValues}, ${value('runAs')}, ${value('query')}, ${value('matrix')}, 200, 1)`,
);

/** The entry of a change: a row of its own, which stands for one request. Each value that is bound costs a commit. */
export function insertChange(change: Change): Statement {
  const { runAs, query, matrix } = change;
  const insertIt = runAs === null && query === null && matrix === null ? insertPlainChange : insertOtherChange;
  return insertIt(change);
}

const counted = (counter: 'audit of users' | 'audit of others') =>
  sql`(SELECT value FROM counter WHERE name = ${sql.raw(`'${counter}'`)})`;

/** Read by an index and counters: no look at all rows. */
const size = query(
  sql`SELECT (SELECT at FROM audit ORDER BY at LIMIT 1), ${counted('audit of users')}, ${counted('audit of others')}`,
  { oldest: sql<number | null>``, users: sql<number | null>``, others: sql<number | null>`` },
);

/** Age of the log, its number of rows, and the number of unauthenticated ones. */
export async function auditSize(reader: Reader): Promise<{ oldest: number; rows: number; anonymous: number }> {
  const [row] = await size(reader, {});
  const { oldest, users, others } = row ?? { oldest: null, users: null, others: null };
  const anonymous = others ?? 0;
  return { oldest: oldest ?? Number.POSITIVE_INFINITY, rows: (users ?? 0) + anonymous, anonymous };
}

interface Removal extends Values {
  /** Deletes entries before that time. */
  readonly before: number;
  readonly max: number;
  readonly maxAnonymous: number;
  /** Limit of rows deleted by one statement. */
  readonly batch: number;
}

interface Limits {
  readonly auditDays: number;
  readonly auditReadDays: number;
  readonly auditReads: number;
  readonly max: number;
  readonly maxAnonymous: number;
}

const day = 86_400_000;
const countOf = (counter: 'audit of users' | 'audit of others') => sql`ifnull(${counted(counter)}, 0)`;

/** `days`: the retention time that administrators set, before that of the settings. */
export function sweepDue(days: DueTime, { auditDays, auditReadDays, auditReads, max, maxAnonymous }: Limits): DueTime {
  const retention = sql`nullif(ifnull(${days}, ${auditDays}), 0)`;
  return earliestDue(
    sql`SELECT at + ${retention} * ${day} FROM (SELECT at FROM audit ORDER BY at LIMIT 1)`,
    sql`CASE WHEN ${countOf('audit of users')} + ${countOf('audit of others')} > ${max}
      OR ${countOf('audit of others')} > ${maxAnonymous} THEN 0 END`,
    readsDue(sql`min(ifnull(${retention}, ${auditReadDays}), ${auditReadDays}) * ${day}`, auditReads),
  );
}

const tooManyAnonymous = sql`max(0, ${counted('audit of others')} - ${value('maxAnonymous')})`;
/** The anonymous ones that are too many do not count: they go before any entry of a user does. */
const tooMany = sql`max(0,
  ${counted('audit of users')} + min(${counted('audit of others')}, ${value('maxAnonymous')}) - ${value('max')})`;

/** Counted in the commit that removes: two sweeps at the same time do not remove twice as much. */
const removals = [
  sql`SELECT sequence FROM audit WHERE at < ${value('before')} ORDER BY at LIMIT ${value('batch')}`,
  sql`SELECT sequence FROM audit WHERE user IS NULL ORDER BY at LIMIT min(${value('batch')}, ${tooManyAnonymous})`,
  sql`SELECT sequence FROM audit ORDER BY at LIMIT min(${value('batch')}, ${tooMany})`,
].map((rows) =>
  statement<Removal>(sql`DELETE FROM ${writes('audit')} WHERE sequence IN (${rows}) RETURNING sequence`, {
    returns: true,
  }),
);

/** A bounded piece of what is too old or too much, the oldest first. Each statement returns what it removed. */
export const removeAuditEntries = (removal: Removal): Statement[] => removals.map((remove) => remove(removal));

/** Counters of rows with a user and without: the sweep asks for both every minute. */
export const auditSchema = (): readonly string[] => {
  const counted = (row: string, sign: '+' | '-') =>
    counting(`iif(${row}.user IS NULL, 'audit of others', 'audit of users')`, sign);
  return [
    `INSERT INTO counter (name, value) VALUES ('audit of users', 0), ('audit of others', 0)`,
    ...triggers({ audit_made: inserted('audit', counted), audit_gone: deleted('audit', counted) }),
  ];
};

export interface AuditFilter {
  readonly from: number;
  readonly to: number;
  readonly user: string | undefined;
  readonly method: string | undefined;
  readonly leastStatus: number;
  readonly path: string;
  /** Whether the path is a prefix. Otherwise it must be equal. */
  readonly prefix: boolean;
  readonly newestFirst: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** No more rows than these are looked through, from the newer or the older end of the time that is asked for. */
const maxSeen = 100_000;

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
      WHERE ${ofUser} at >= ${value('from')} AND at <= ${value('to')} ${order} LIMIT ${sql.raw(String(maxSeen))})
    WHERE status >= ${value('leastStatus')} AND (${value('method')} IS NULL OR method = ${value('method')})
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

/** `max`: values that a page may have. */
export const readEntries = (
  reader: Reader,
  filter: AuditFilter,
  max = Number.POSITIVE_INFINITY,
): Promise<readonly AuditEntry[]> => pageWithin(queriesFor(filter).page, reader, valuesOf(filter), max, 'rows');

export async function countEntries(reader: Reader, filter: AuditFilter): Promise<number> {
  return (await queriesFor(filter).hits(reader, valuesOf(filter)))[0]?.hits ?? 0;
}
