import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Jobs. An ended job stays until a user deletes it. */
export const job = sqliteTable(
  'job',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    /** Index of the priority: smaller numbers come first. */
    priority: integer('priority').notNull(),
    /** User who started the job. NULL: the service. */
    user: text('user'),
    /** JSON: pairs of key and value, visible to callers and receivers. */
    data: text('data').notNull(),
    /** JSON: state for the steps only. */
    memo: text('memo').notNull(),
    createdAt: integer('created_at').notNull(),
    finishedAt: integer('finished_at'),
    totalSteps: integer('total_steps').notNull(),
    /** Number of the current step in its job type. */
    step: integer('step'),
    stepStatus: text('step_status'),
    stepsBegun: integer('steps_begun').notNull(),
    /** Times that the step was begun again, and how many of them failed. */
    attempt: integer('attempt').notNull(),
    failures: integer('failures').notNull(),
    /** Awaited resource, as JSON. */
    waiting: text('waiting'),
    /** Final status after the clean-up. */
    ending: text('ending'),
    /** Time of the next check; 0: at once. NULL: running or ended. */
    due: integer('due'),
    instance: text('instance').notNull(),
    /** End of the lease. 0: no lease. */
    leaseUntil: integer('lease_until').notNull(),
    /** Incremented with each new owner: only the last one may write. */
    fence: integer('fence').notNull(),
    /** User in whose name the job changes data, as JSON. */
    actor: text('actor').notNull(),
    /** Placeholder notification, and its data as JSON. */
    notification: text('notification'),
    notificationData: text('notification_data').notNull(),
    /** JSON: order of the job, for a restart. */
    ordered: text('ordered').notNull().default('{}'),
    /** 1: custom job type, which no room declares. */
    isCustom: integer('is_custom').notNull().default(0),
    /** JSON: custom tasks of its type at the start of the job. */
    tasks: text('tasks').notNull().default('[]'),
  },
  (table) => [
    index('job_serial').on(table.serial),
    index('job_user').on(table.user, table.serial),
    index('job_status').on(table.status, table.serial),
    index('job_type').on(table.type, table.serial),
    index('job_due').on(table.due, table.priority, table.user, table.serial).where(sql`due IS NOT NULL`),
    index('job_open').on(table.user).where(sql`finished_at IS NULL`),
    index('job_lease').on(table.leaseUntil).where(sql`lease_until > 0`),
  ],
);

export type JobRow = typeof job.$inferSelect;

/** An attempt at a step. */
export const jobTask = sqliteTable(
  'job_task',
  {
    jobId: text('job_id').notNull(),
    step: integer('step').notNull(),
    attempt: integer('attempt').notNull(),
    status: text('status').notNull(),
    timestamp: integer('timestamp').notNull(),
    description: text('description').notNull(),
    error: text('error'),
    progress: integer('progress'),
    progressTotal: integer('progress_total'),
    unit: text('unit'),
    /** Log of the attempt, as JSON. */
    said: text('said').notNull(),
    /** Progress of the step's parts, as JSON. */
    parts: text('parts'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.step, table.attempt] })],
);

/** Index of job data by key and value. */
export const jobDatum = sqliteTable(
  'job_datum',
  { jobId: text('job_id').notNull(), key: text('key').notNull(), value: text('value').notNull() },
  (table) => [index('job_datum_pair').on(table.key, table.value, table.jobId), index('job_datum_job').on(table.jobId)],
);

/** A type of jobs that administrators made, with tasks of their own alone. */
export const customJobType = sqliteTable('custom_job_type', {
  type: text('type').primaryKey(),
  id: integer('id').notNull().unique(),
});

/** A task that administrators added to a type. Those of the release are in the program. */
export const taskDefinition = sqliteTable(
  'task_definition',
  {
    id: integer('id').primaryKey(),
    jobType: text('job_type').notNull(),
    step: integer('step').notNull(),
    description: text('description').notNull(),
    script: text('script'),
    /** Name of the task in its plugin. NULL: not a task of a plugin. */
    handler: text('handler'),
    critical: integer('critical').notNull(),
    cleanup: integer('cleanup').notNull(),
    /** JSON: the whole document. */
    document: text('document').notNull(),
  },
  (table) => [uniqueIndex('task_definition_step').on(table.jobType, table.step)],
);

/** Configuration by administrators for all jobs, as JSON. */
export const jobConfiguration = sqliteTable('job_configuration', {
  name: text('name').primaryKey(),
  document: text('document').notNull(),
});

/** Requests with an `Idempotency-Key` that have created an entity. A repeated request gets the same answer. */
export const keyedRequest = sqliteTable(
  'keyed_request',
  {
    /** Owner of the key. */
    user: text('user').notNull(),
    key: text('key').notNull(),
    /** Method, target and length of the body. */
    request: text('request').notNull(),
    /** Created entity, such as `job VX-1`. */
    made: text('made').notNull(),
    /** JSON. NULL: not answered yet, or too long. */
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.key] }), index('keyed_request_age').on(table.createdAt)],
);
