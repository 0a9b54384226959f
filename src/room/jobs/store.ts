import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import { guard } from '../../core/store/guard.ts';
import { insertInto } from '../../core/store/rows.ts';
import { query, type Reader, statement, value, writes } from '../../core/store/statement.ts';
import type { JobPriority } from './job-type.ts';
import { type JobRow, job, jobConfiguration, jobDatum } from './tables.ts';

/** Custom tasks are copied to the job at its start, so later changes of the type do not affect it. */
const frozenTasks = sql`(SELECT json_group_array(json_object('step', step, 'description', description, 'script', script,
    'handler', handler, 'critical', critical, 'cleanup', cleanup, 'id', id))
  FROM task_definition WHERE job_type = ${value('type')})`;

const insertRow = statement((db) =>
  db.insert(job).values({
    id: value('id'),
    serial: value('serial'),
    type: value('type'),
    status: value('status'),
    priority: value('priority'),
    user: sql`${value('user')}`,
    data: value('data'),
    memo: value('memo'),
    createdAt: value('createdAt'),
    finishedAt: sql`${value('finishedAt')}`,
    totalSteps: sql`${value('totalSteps')} + (SELECT COUNT(*) FROM task_definition WHERE job_type = ${value('type')} AND cleanup = 0)`,
    step: sql`${value('step')}`,
    stepStatus: sql`${value('stepStatus')}`,
    stepsBegun: value('stepsBegun'),
    attempt: 0,
    failures: 0,
    due: sql`${value('due')}`,
    instance: '',
    leaseUntil: 0,
    fence: 0,
    actor: value('actor'),
    notification: sql`${value('notification')}`,
    notificationData: value('notificationData'),
    ordered: value('ordered'),
    isCustom: value('isCustom'),
    tasks: frozenTasks,
  }),
);
export const insertJob = (row: JobRow): Statement => insertRow({ ...row });

/** Counts no further than to the bound. */
const fewEnough = guard<{ user: string; max: number }>(
  sql`NOT EXISTS (SELECT 1 FROM job WHERE user = ${value('user')} AND finished_at IS NULL LIMIT 1 OFFSET ${value('max')} - 1)`,
);
export const fewJobs = (user: string, max: number, tooMany: ServiceError): Statement =>
  fewEnough({ user, max }, tooMany);

const insertPair = insertInto(jobDatum, 'jobId', 'key', 'value');
export const insertDatum = (jobId: string, [key, text]: readonly [string, string]): Statement =>
  insertPair({ jobId, key, value: text });

/** Makes the next check of a waiting job due. */
export const checkNow = statement<{ id: string }>(
  sql`UPDATE ${writes('job')} SET due = 0 WHERE id = ${value('id')} AND due > 0
    AND (status = 'WAITING' OR (step_status = 'STARTED' AND waiting IS NOT NULL))`,
);

export const prioritiesName = 'job-priority';

export interface PriorityOfType {
  readonly type: string;
  readonly value: JobPriority;
}

const find = query((db) =>
  db
    .select({ document: jobConfiguration.document })
    .from(jobConfiguration)
    .where(sql`${jobConfiguration.name} = ${prioritiesName}`),
).first;

/** Starts the reads of `defaultPriority`, for `Store.ahead`. */
export const priorityAhead = (reader: Reader): unknown => find(reader, {});

/** The priority of a job whose caller names none. */
export async function defaultPriority(reader: Reader, type: string): Promise<JobPriority> {
  const row = await find(reader, {});
  const rows = row ? (JSON.parse(row.document) as readonly PriorityOfType[]) : [];
  return rows.find((each) => each.type === type)?.value ?? 'MEDIUM';
}
