import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** A job. One that has ended stays until somebody deletes it. */
export const job = sqliteTable(
  'job',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    /** The place among the priorities: a smaller number comes first. */
    priority: integer('priority').notNull(),
    /** Who started it. NULL: the service. */
    user: text('user'),
    /** As JSON, pairs of key and value: callers and receivers see it. */
    data: text('data').notNull(),
    /** As JSON: only its steps see it. */
    memo: text('memo').notNull(),
    createdAt: integer('created_at').notNull(),
    finishedAt: integer('finished_at'),
    totalSteps: integer('total_steps').notNull(),
    /** The step that was begun last, its number in the table of the type. */
    step: integer('step'),
    stepStatus: text('step_status'),
    stepsBegun: integer('steps_begun').notNull(),
    /** Times that the step was begun again, and how many of them failed. */
    attempt: integer('attempt').notNull(),
    failures: integer('failures').notNull(),
    /** What it waits for, as JSON. */
    waiting: text('waiting'),
    /** The status that it will have once it has cleaned up. */
    ending: text('ending'),
    /** When it goes on; 0: at once. NULL: it runs, or has ended. */
    due: integer('due'),
    instance: text('instance').notNull(),
    /** Until when nobody else takes it. 0: nobody has it. */
    leaseUntil: integer('lease_until').notNull(),
    /** Another number with each hand that takes it: only the last one may write. */
    fence: integer('fence').notNull(),
    /** In whose name its changes are made, as JSON. */
    actor: text('actor').notNull(),
    /** The placeholder notification, and what it is told, as JSON. */
    notification: text('notification'),
    notificationData: text('notification_data').notNull(),
    /** As JSON, what it was started with: somebody may run it again. */
    ordered: text('ordered').notNull().default('{}'),
    /** 1: no room has its type. */
    isCustom: integer('is_custom').notNull().default(0),
    /** As JSON, the custom tasks of its type when it was started. */
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
    /** What is told of it besides, as JSON. */
    said: text('said').notNull(),
    /** How far the parts of the step are, as JSON. */
    parts: text('parts'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.step, table.attempt] })],
);

/** The data of jobs, to find them by it. */
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
    /** What a plugin calls the task. NULL: it is none of a plugin. */
    handler: text('handler'),
    critical: integer('critical').notNull(),
    cleanup: integer('cleanup').notNull(),
    /** As JSON, all that the document says. */
    document: text('document').notNull(),
  },
  (table) => [uniqueIndex('task_definition_step').on(table.jobType, table.step)],
);

/** What administrators set for all jobs, as JSON. */
export const jobConfiguration = sqliteTable('job_configuration', {
  name: text('name').primaryKey(),
  document: text('document').notNull(),
});

/** A request with a key of its caller, which made something. Asked again, it is answered the same. */
export const keyedRequest = sqliteTable(
  'keyed_request',
  {
    /** Whose key it is. */
    user: text('user').notNull(),
    key: text('key').notNull(),
    /** Method, target and length of the body. */
    request: text('request').notNull(),
    /** What it made: `job VX-1`. */
    made: text('made').notNull(),
    /** As JSON. NULL: it was not answered yet, or too long. */
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.key] }), index('keyed_request_age').on(table.createdAt)],
);
