import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import type { DueTime } from '../../core/store/due.ts';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, rowsAmong, updateBy } from '../../core/store/rows.ts';
import { query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { job, keyedRequest } from '../../room/jobs/tables.ts';

/** Jobs that ended before a time, among the oldest: no index has the end, and to look at all of them takes long. */
export const endedBefore = query(
  sql`SELECT id, status, finished_at FROM (SELECT id, serial, status, finished_at FROM job ORDER BY serial LIMIT 2000)
    WHERE finished_at < ${value('before')} ORDER BY serial LIMIT ${value('limit')}`,
  { id: job.id, status: job.status, finishedAt: job.finishedAt },
);

/** A lower bound: no job ended before the oldest one was made. `days`: in SQL, NULL where jobs are kept. */
export const oldJobsDue = (days: DueTime, day: number): DueTime =>
  sql`SELECT created_at + ${days} * ${day} FROM (SELECT created_at FROM job ORDER BY serial LIMIT 1)`;

/** Work of the service that ends by itself is no problem: a hash that is computed, a file that another job reads. */
const defaultValue = sql`('FileHash', 'FileNotClosed', 'FileInUse', 'FileUpload')`;

/** Resources that jobs wait for, with some of the jobs. `id`: one job; empty: all jobs. */
export const problemsOf = query((db) =>
  db
    .select({
      waiting: sql<string>`waiting`,
      first: sql<number>`MIN(serial)`,
      jobs: sql<string>`json_group_array(id)`,
    })
    .from(
      sql`(SELECT id, serial, waiting FROM ${job} WHERE status = 'WAITING' AND waiting IS NOT NULL
        AND waiting ->> 'requirement' NOT IN ${defaultValue} AND (${value('id')} = '' OR id = ${value('id')})
        ORDER BY serial LIMIT ${value('limit')})`,
    )
    .groupBy(sql`waiting`)
    .orderBy(sql`MIN(serial)`),
);

/** Jobs that have not ended, with the attempt that runs. The oldest first. */
export const goingJobs = query((db) =>
  db
    .select({
      id: sql<string>`job.id`,
      type: sql<string>`job.type`,
      status: sql<string>`job.status`,
      step: sql<number | null>`job.step`,
      waiting: sql<string | null>`job.waiting`,
      description: sql<string | null>`task.description`,
      progress: sql<number | null>`task.progress`,
      total: sql<number | null>`task.progress_total`,
      unit: sql<string | null>`task.unit`,
    })
    .from(
      sql`${job} LEFT JOIN job_task AS task
        ON task.job_id = job.id AND task.step = job.step AND task.attempt = job.attempt`,
    )
    .where(sql`job.status IN ('READY', 'STARTED', 'WAITING', 'HOLD', 'ABORTED_PENDING')`)
    .orderBy(sql`job.serial`)
    .limit(value('limit')),
);

export type GoingJob = Awaited<ReturnType<typeof goingJobs>>[number];

/** The existing jobs among the given ids. `ids`: JSON. */
export const statesOfJobs = rowsAmong(job, 'id', 'ids', 'id', 'user', 'status', 'finishedAt');

type Ids = { readonly ids: readonly string[] };

const ended = guard<Ids>(sql`NOT EXISTS (SELECT 1 FROM job WHERE id IN ${valuesOf('ids')} AND finished_at IS NULL)`);
/** `refusal`: for a job that was run again meanwhile, which cannot be. */
export const allEnded = (ids: readonly string[], refusal: ServiceError) => ended({ ids }, refusal);

export const removeJobs = [
  statement<Ids>(sql`DELETE FROM ${writes('job_task')} WHERE job_id IN ${valuesOf('ids')}`),
  statement<Ids>(sql`DELETE FROM ${writes('job_datum')} WHERE job_id IN ${valuesOf('ids')}`),
  statement<Ids>(sql`DELETE FROM ${writes('job')} WHERE id IN ${valuesOf('ids')}`),
];

const going = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')} AND finished_at IS NULL)`);
export const jobGoesOn = (id: string, refusal: ServiceError) => going({ id }, refusal);

/** The instance that runs the job need not know. */
export const writePriority = updateBy(job, 'id', 'priority');

export const jobMustExist = rowExists(job, 'id');

export type KeyedRow = typeof keyedRequest.$inferSelect;

export const findKeyed = rowBy(keyedRequest, ['user', 'key']);

/** The refusal is for a key that another request has by now. */
export const insertKeyed = insertInto(keyedRequest, 'user', 'key', 'request', 'made', 'createdAt');

export const writeAnswer = updateBy(keyedRequest, ['user', 'key'], 'answer');

export const keysDue = (retention: number): DueTime => sql`SELECT min(created_at) + ${retention} FROM keyed_request`;

/** Statement for the deletion of a user: a later user of the same name must not get the answers. */
export const forgetKeysOf = deleteBy(keyedRequest, 'user');

export const removeOldKeys = statement<{ before: number; limit: number }>(
  sql`DELETE FROM ${writes('keyed_request')} WHERE (user, key) IN
      (SELECT user, key FROM keyed_request WHERE created_at < ${value('before')} ORDER BY created_at LIMIT ${value('limit')})
    RETURNING 1`,
  { returns: true },
);
