import { asc, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { eachOf, query, type Reader, value, valuesOf } from '../../../core/store/statement.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { job, jobTask } from '../../../room/jobs/tables.ts';

/** Sort orders of jobs. */
export const sortings = {
  jobId: sql`job.serial`,
  startTime: sql`job.created_at`,
  type: sql`job.type`,
  state: sql`job.status`,
  user: sql`job.user`,
  priority: sql`job.priority`,
} as const;
export type Sorting = keyof typeof sortings;

export interface JobOrder {
  readonly by: Sorting;
  readonly desc: boolean;
}

export interface JobQuery {
  /** Only jobs of this user. Undefined: of all users. */
  readonly user: string | undefined;
  /** Includes jobs of the service itself, which belong to no user. */
  readonly ownerless: boolean;
  /** Only these. Empty: any. */
  readonly ids: readonly string[];
  /** Only those of these users. Empty: of any. */
  readonly users: readonly string[];
  readonly states: readonly string[];
  readonly types: readonly string[];
  /** Places among the priorities. */
  readonly priorities: readonly number[];
  /** Pairs of its data, all of them. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
  readonly startedFrom: number;
  readonly startedTo: number;
  readonly finishedFrom: number;
  readonly finishedTo: number;
  /** Whether the data of the jobs is included. */
  readonly withData: boolean;
  readonly order: readonly JobOrder[];
  readonly offset: number;
  readonly limit: number;
}

const anyOf = (column: SQL, name: string) =>
  sql`(json_array_length(${value(name)}) = 0 OR ${column} IN (SELECT value FROM json_each(${value(name)})))`;

/** Jobs that have not ended lie behind all others. */
const finished = sql`COALESCE(job.finished_at, 9007199254740991)`;
const fits = sql`${anyOf(sql`job.status`, 'states')} AND ${anyOf(sql`job.type`, 'types')}
  AND ${anyOf(sql`job.priority`, 'priorities')}
  AND ${anyOf(sql`job.id`, 'ids')} AND ${anyOf(sql`job.user`, 'users')}
  AND job.created_at BETWEEN ${value('startedFrom')} AND ${value('startedTo')}
  AND ${finished} BETWEEN ${value('finishedFrom')} AND ${value('finishedTo')}`;
const hasPairs = sql`NOT EXISTS (SELECT 1 FROM ${eachOf('pairs')} AS given
  WHERE NOT EXISTS (SELECT 1 FROM job_datum WHERE job_id = job.id AND key = given.value ->> 0 AND value = given.value ->> 1))`;

/** The index that finds them: of one pair of their data, or of their user. */
function found({ user, ownerless, pairs }: JobQuery): SQL {
  const ofUser = sql`job.user = ${value('user')}`;
  const theirs = ownerless ? sql`(${ofUser} OR job.user IS NULL)` : ofUser;
  const own = user === undefined ? sql`TRUE` : theirs;
  if (pairs.length === 0) return sql`${own} AND ${fits}`;
  const ids = sql`SELECT job_id FROM job_datum WHERE key = ${value('key')} AND value = ${value('value')}`;
  return sql`job.id IN (${ids}) AND ${own} AND ${hasPairs} AND ${fits}`;
}

/** Without columns that no list shows. */
const shown = {
  ...getTableColumns(job),
  data: sql<string>`CASE WHEN ${value('withData')} THEN ${job.data} ELSE '[]' END`,
  memo: sql<string>`'{}'`,
  actor: sql<string>`'{}'`,
  notificationData: sql<string>`'[]'`,
};

function preparePage(filter: JobQuery) {
  const keys = filter.order.map(({ by, desc }) => sql`${sortings[by]} ${sql.raw(desc ? 'DESC' : 'ASC')}`);
  return query((db) =>
    db
      .select(shown)
      .from(job)
      .where(found(filter))
      .orderBy(...keys)
      .limit(value('limit'))
      .offset(value('offset')),
  );
}

const prepareCount = (filter: JobQuery) =>
  query((db) => db.select({ hits: sql<number>`count(*)` }).from(job).where(found(filter)));

const bindingsOf = (filter: JobQuery) => ({
  user: filter.user ?? '',
  ids: JSON.stringify(filter.ids),
  users: JSON.stringify(filter.users),
  states: JSON.stringify(filter.states),
  types: JSON.stringify(filter.types),
  priorities: JSON.stringify(filter.priorities),
  pairs: filter.pairs,
  key: filter.pairs[0]?.[0] ?? '',
  value: filter.pairs[0]?.[1] ?? '',
  startedFrom: filter.startedFrom,
  startedTo: filter.startedTo,
  finishedFrom: filter.finishedFrom,
  finishedTo: filter.finishedTo,
  withData: filter.withData ? 1 : 0,
  offset: filter.offset,
  limit: filter.limit,
});

/** Cache of frequent statements: those with a single sort order. */
const pages = new Map<string, ReturnType<typeof preparePage>>();
const counts = new Map<string, ReturnType<typeof prepareCount>>();

function kept<Q>(
  all: Map<string, Q>,
  filter: JobQuery,
  order: JobQuery['order'],
  make: (filter: JobQuery) => Q,
  by = '',
): Q {
  const key = [
    by,
    filter.user === undefined,
    filter.ownerless,
    filter.pairs.length === 0,
    ...order.map(({ by, desc }) => `${by} ${desc}`),
  ].join();
  const prepared = all.get(key) ?? make(filter);
  if (order.length <= 2) all.set(key, prepared);
  return prepared;
}

/** `max`: values that the data of a page may have. */
export async function jobsOf(reader: Reader, filter: JobQuery, max: number): Promise<readonly JobRow[]> {
  const page = kept(pages, filter, filter.order, preparePage);
  return filter.withData ? pageWithin(page, reader, bindingsOf(filter), max) : page(reader, bindingsOf(filter));
}

export async function countJobs(reader: Reader, filter: JobQuery): Promise<number> {
  const [row] = await kept(counts, filter, [], prepareCount)(reader, bindingsOf(filter));
  return row?.hits ?? 0;
}

const facetTexts = {
  user: sql`job.user`,
  state: sql`job.status`,
  type: sql`job.type`,
  priority: sql`job.priority`,
  data: sql`datum.value`,
} as const;
type FacetBy = keyof typeof facetTexts;

/** Numbers of jobs by a value, the most frequent first. A job counts once for each different value of a key. */
function prepareTally(by: FacetBy, filter: JobQuery) {
  const data = sql`job_datum AS datum CROSS JOIN job ON job.id = datum.job_id AND datum.key = ${value('facetKey')}`;
  const text = facetTexts[by];
  return query(
    sql`SELECT ${text} AS text, count(${by === 'data' ? sql`DISTINCT job.id` : sql`*`}) AS count FROM ${by === 'data' ? data : sql`job`}
      WHERE ${found(filter)} AND ${text} IS NOT NULL GROUP BY 1
      HAVING count BETWEEN ${value('minCount')} AND ${value('maxCount')}
      ORDER BY count DESC, text LIMIT ${value('limit')}`,
    { text: sql<string | number>``, count: sql<number>`` },
  );
}

const tallies = new Map<string, ReturnType<typeof prepareTally>>();

interface TallyBounds {
  /** Key of the data, if the facet is of data. */
  readonly facetKey: string;
  readonly minCount: number;
  readonly maxCount: number;
  readonly limit: number;
}

export const countsBy = (reader: Reader, filter: JobQuery, by: FacetBy, bounds: TallyBounds) =>
  kept(tallies, filter, [], (jobs) => prepareTally(by, jobs), by)(reader, { ...bindingsOf(filter), ...bounds });

/** The attempts at the steps of jobs, in their order. */
export const tasksOf = query((db) =>
  db
    .select()
    .from(jobTask)
    .where(sql`${jobTask.jobId} IN ${valuesOf('ids')}`)
    .orderBy(asc(jobTask.jobId), asc(jobTask.step), asc(jobTask.attempt))
    .limit(value('limit')),
);
