import { asc, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { earliestDue } from '../../../core/store/due.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { rowBy, updateBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { type JobRow, job, type jobTask } from '../../../room/jobs/tables.ts';
import type { Waiting } from '../pools/rules.ts';
import type { StepProgress } from './step-log.ts';

export type TaskRow = typeof jobTask.$inferSelect;

export const findJob = rowBy(job, 'id');

const writeRow = updateBy(
  job,
  'id',
  ...(['status', 'data', 'memo', 'finishedAt', 'step', 'stepStatus', 'stepsBegun', 'attempt', 'failures'] as const),
  ...(['waiting', 'ending', 'due', 'instance', 'leaseUntil', 'fence'] as const),
);
/** Updates all columns that change during a job. Guard it with `jobHeld`. */
export const writeJob = (row: JobRow): Statement => writeRow({ ...row });

const heldAndOpen = guard<Pick<JobRow, 'id' | 'fence'>>(
  sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')} AND fence = ${value('fence')} AND finished_at IS NULL)`,
);
/** Guards that this instance still owns the job, and has not ended it: the answer of the end may have been lost. */
export const jobHeld = ({ id, fence }: Pick<JobRow, 'id' | 'fence'>, lost: ServiceError): Statement =>
  heldAndOpen({ id, fence }, lost);

/** Jobs of an instance whose lease was lost, given as pairs of id and fence. */
export const movedOn = query<{ id: typeof job.id }, { held: string }>(
  sql`SELECT job.id FROM ${eachOf('held')} AS held CROSS JOIN job ON job.id = held.value ->> 0
    WHERE job.fence <> held.value ->> 1`,
  { id: job.id },
);

/** The job is as it was read: its server has not moved the lease on meanwhile, and has not ended the job. */
const untaken = rowExists(job, 'id', 'fence', 'leaseUntil');
export const jobUntaken = ({ id, fence, leaseUntil }: JobRow, lost: ServiceError): Statement =>
  untaken({ id, fence, leaseUntil }, lost);

/** Renews the lease, unless the job was released or has ended. */
export const moveLease = statement<{ id: string; until: number }>(
  sql`UPDATE ${writes('job')} SET lease_until = ${value('until')} WHERE id = ${value('id')} AND lease_until > 0`,
);

const writeTaskRow = statement(
  sql`INSERT INTO ${writes('job_task')} (job_id, step, attempt, status, timestamp, description, error, progress, progress_total, unit, said, parts)
    VALUES (${value('jobId')}, ${value('step')}, ${value('attempt')}, ${value('status')}, ${value('timestamp')},
      ${value('description')}, ${value('error')}, ${value('progress')}, ${value('progressTotal')}, ${value('unit')},
      ${value('said')}, ${value('parts')})
    ON CONFLICT (job_id, step, attempt) DO UPDATE SET status = excluded.status, timestamp = excluded.timestamp,
      error = COALESCE(excluded.error, error), progress = COALESCE(excluded.progress, progress),
      progress_total = COALESCE(excluded.progress_total, progress_total), unit = COALESCE(excluded.unit, unit),
      said = excluded.said, parts = COALESCE(excluded.parts, parts)`,
);
export type TaskChange = TaskRow;
export const writeTask = (row: TaskChange): Statement => writeTaskRow({ ...row });

const writeProgressRow = statement(
  sql`UPDATE ${writes('job_task')} SET progress = COALESCE(${value('progress')}, progress),
      progress_total = COALESCE(${value('progressTotal')}, progress_total), unit = COALESCE(${value('unit')}, unit),
      said = ${value('said')}, parts = COALESCE(${value('parts')}, parts)
    WHERE job_id = ${value('jobId')} AND step = ${value('step')} AND attempt = ${value('attempt')}`,
);
/** Saves the progress of a running step. */
export const writeProgress = (task: Pick<TaskRow, 'jobId' | 'step' | 'attempt'>, progress: StepProgress): Statement =>
  writeProgressRow({ ...task, ...progress });

/** Saves job data reported by a running step. The end of the step writes the data again. */
export const writeLiveData = statement<Pick<JobRow, 'id' | 'step' | 'stepStatus' | 'data'>>(
  sql`UPDATE ${writes('job')} SET data = ${value('data')}
    WHERE id = ${value('id')} AND step IS ${value('step')} AND step_status IS ${value('stepStatus')}`,
);

/** Marks the attempts of a lost server. */
export const disappear = statement<{ id: string; now: number }>(
  sql`UPDATE ${writes('job_task')} SET status = 'DISAPPEARED', timestamp = ${value('now')}
    WHERE job_id = ${value('id')} AND status = 'STARTED'`,
);

/** Any instance takes the jobs of custom types: each job has its tasks with it. */
const isKnownType = sql`(${job.isCustom} = 1 OR ${job.type} IN ${valuesOf('types')})`;
const knownAndOpen = sql`${isKnownType} AND ${job.priority} IN ${valuesOf('open')}
  AND NOT EXISTS (SELECT 1 FROM ${eachOf('full')} AS pair
    WHERE pair.value ->> 0 = ${job.priority} AND pair.value ->> 1 = ${job.user})`;

/** Jobs with an expired lease: their server is gone. */
export const lostJobs = query((db) =>
  db
    .select()
    .from(job)
    .where(sql`${job.leaseUntil} > 0 AND ${job.leaseUntil} <= ${value('now')} AND ${knownAndOpen}`)
    .orderBy(asc(job.leaseUntil))
    .limit(value('limit')),
);

/** Finds priorities in `open` with a job that may run at once, the most urgent first. */
export const readyBands = query<{ priority: typeof job.priority }, { open: readonly number[] }>(
  sql`SELECT value FROM ${eachOf('open')}
    WHERE EXISTS (SELECT 1 FROM job WHERE due = 0 AND priority = value) ORDER BY value`,
  { priority: job.priority },
);

type WaitingColumns = { readonly [N in keyof Waiting]: SQL<Waiting[N]> };
const ofBand = sql`FROM job WHERE due = 0 AND priority = value`;
/** Users whose jobs may go on at once, by priority in `open`. */
export const waitingUsers = query<WaitingColumns, { open: readonly number[] }>(
  sql`SELECT (SELECT min(user) ${ofBand}), (SELECT max(user) ${ofBand}), EXISTS (SELECT 1 ${ofBand} AND user IS NULL)
    FROM ${eachOf('open')}`,
  { first: sql<string | null>``, last: sql<string | null>``, nobody: sql<number>`` },
);

/** The next user after `last` with a job of the band that may go on at once. */
const userAfter = (last: SQL | Placeholder) =>
  sql`SELECT user FROM job WHERE due = 0 AND priority = ${value('priority')} AND user > ${last} ORDER BY user LIMIT 1`;
const nobody = sql`due = 0 AND priority = ${value('priority')} AND user IS NULL`;
const hasPlaces = sql`user NOT IN ${valuesOf('full')}`;
/** Each user is one search of the index, however many jobs wait. `reach`: the limit with the users in `full`. */
const inTurns = sql`(WITH RECURSIVE
    behind(user) AS (SELECT * FROM (${userAfter(value('after'))})
      UNION ALL SELECT (${userAfter(sql`behind.user`)}) FROM behind WHERE user IS NOT NULL LIMIT ${value('reach')}),
    before(user) AS (SELECT * FROM (${userAfter(sql`''`)})
      UNION ALL SELECT (${userAfter(sql`before.user`)}) FROM before WHERE user < ${value('after')} LIMIT ${value('reach')}),
    turn(lap, user) AS (SELECT 0, user FROM behind WHERE user IS NOT NULL AND ${hasPlaces}
      UNION ALL SELECT 1, NULL WHERE EXISTS (SELECT 1 FROM job WHERE ${nobody})
      UNION ALL SELECT 2, user FROM before WHERE user <= ${value('after')} AND ${hasPlaces} LIMIT ${value('limit')})
  SELECT own.id, turn.lap, turn.user, ROW_NUMBER() OVER (PARTITION BY turn.lap, turn.user ORDER BY own.serial) AS round
  FROM turn CROSS JOIN job AS own ON own.id IN (SELECT id FROM job INDEXED BY job_due WHERE due = 0 AND priority = ${value('priority')}
    AND user IS turn.user AND ${isKnownType} ORDER BY serial
    LIMIT (SELECT iif(COUNT(*) < ${value('limit')}, ${value('limit')}, 1) FROM turn))
  ORDER BY round, lap, turn.user LIMIT ${value('limit')}) AS ready`;

/** Jobs of a priority that may go on at once: users take turns, those behind `after` first. Of each user the oldest. `full`: skips these. */
export const readyJobs = query((db) =>
  db
    .select(getTableColumns(job))
    .from(inTurns)
    .crossJoin(job)
    .where(sql`${job.id} = ready.id`)
    .orderBy(sql`ready.round, ready.lap, ready.user`),
);

/** Waiting jobs that are due for a check. */
export const waitingJobs = query((db) =>
  db
    .select()
    .from(job)
    .where(sql`${job.due} > 0 AND ${job.due} <= ${value('now')} AND ${knownAndOpen}`)
    .orderBy(asc(job.due))
    .limit(value('limit')),
);

export const jobsDue = earliestDue(
  sql`SELECT min(due) FROM job WHERE due IS NOT NULL`,
  sql`SELECT min(lease_until) FROM job WHERE lease_until > 0`,
);

export const measureJobs = query((db) =>
  db
    .select({
      waiting: sql<number>`(SELECT COUNT(*) FROM job WHERE due IS NOT NULL)`,
      running: sql<number>`(SELECT COUNT(*) FROM job WHERE lease_until > 0)`,
      oldest: sql<number | null>`(SELECT created_at FROM job WHERE due = 0 ORDER BY serial LIMIT 1)`,
    })
    .from(sql`(SELECT 1)`),
).first;

/** Leases of servers that no longer run end now. */
export const endLeases = statement(
  sql`UPDATE ${writes('job')} SET lease_until = 1 WHERE lease_until > 1 RETURNING id`,
  {
    returns: true,
  },
);
