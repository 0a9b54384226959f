import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { user } from '../../identity/public-reading.ts';

/** Machines that do media work for the service. */
export const runner = sqliteTable(
  'runner',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    version: text('version').notNull(),
    /** JSON: labels, as the runner has them. */
    labels: text('labels').notNull(),
    /** JSON: words for all that its tasks may need. */
    offers: text('offers').notNull(),
    createdAt: integer('created_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    /** Since when it claims nothing, by the choice of an administrator. */
    pausedAt: integer('paused_at'),
    /** When it said that it stops. NULL: it has called since. */
    stoppedAt: integer('stopped_at'),
  },
  (table) => [
    index('runner_serial').on(table.serial),
    uniqueIndex('runner_name').on(table.userId, table.name),
    index('runner_seen').on(table.seenAt),
  ],
);

/** Media work of jobs that runners do. A job deletes its own as soon as it has the result. */
export const runnerTask = sqliteTable(
  'runner_task',
  {
    /** Job and part of it. */
    key: text('key').primaryKey(),
    jobId: text('job_id').notNull(),
    kind: text('kind').notNull(),
    /** JSON: words that a runner must offer. */
    needs: text('needs').notNull(),
    /** JSON: order of its kind. */
    request: text('request').notNull(),
    fileId: text('file_id').notNull(),
    /** Storage that takes the result. NULL: the result is no file. */
    storageId: text('storage_id'),
    /** `WAITING`, `CLAIMED`, `DONE` or `FAILED`. */
    state: text('state').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Names the current claim, and fences off earlier ones. */
    claim: text('claim'),
    runnerId: text('runner_id'),
    leaseUntil: integer('lease_until').notNull(),
    claimedAt: integer('claimed_at').notNull(),
    claims: integer('claims').notNull(),
    /** Percentage that the runner has reported. */
    progress: integer('progress').notNull(),
    /** 1: its job has heard of the failure. */
    reported: integer('reported').notNull(),
    /** JSON: staged bytes, a probe, or the reason of the failure. */
    result: text('result'),
  },
  (table) => [
    uniqueIndex('runner_task_claim').on(table.claim),
    index('runner_task_state').on(table.state, table.createdAt),
    index('runner_task_runner').on(table.runnerId),
    index('runner_task_job').on(table.jobId),
  ],
);

/** Stills of a task, until its job has taken them. */
export const runnerStill = sqliteTable(
  'runner_still',
  {
    key: text('key')
      .notNull()
      .references(() => runnerTask.key, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    bytes: blob('bytes', { mode: 'buffer' }).$type<Uint8Array<ArrayBuffer>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.number] })],
);
