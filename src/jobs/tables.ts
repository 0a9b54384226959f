import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
  },
  (table) => [
    index('job_serial').on(table.serial),
    index('job_user').on(table.user, table.serial),
    index('job_status').on(table.status, table.serial),
    index('job_type').on(table.type, table.serial),
    index('job_due').on(table.due, table.priority, table.serial).where(sql`due IS NOT NULL`),
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
  },
  (table) => [primaryKey({ columns: [table.jobId, table.step, table.attempt] })],
);

/** The data of jobs, to find them by it. */
export const jobDatum = sqliteTable(
  'job_datum',
  { jobId: text('job_id').notNull(), key: text('key').notNull(), value: text('value').notNull() },
  (table) => [index('job_datum_pair').on(table.key, table.value, table.jobId), index('job_datum_job').on(table.jobId)],
);
