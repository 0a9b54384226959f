import { sql } from 'drizzle-orm';
import { event } from '../../../core/store/schema.ts';
import { query, value, valuesOf } from '../../../core/store/statement.ts';

/** Last event of a page that has so many bytes. A page has at least one event. */
const fitting = sql`(SELECT max(sequence) FROM (
    SELECT sequence, bytes, SUM(bytes) OVER (ORDER BY sequence) AS upto FROM (
      SELECT sequence, octet_length(payload) AS bytes FROM event
        WHERE sequence > ${value('since')} ORDER BY sequence LIMIT ${value('limit')}))
  WHERE upto <= ${value('bytes')} OR upto = bytes)`;

export const eventsAfter = query((db) =>
  db
    .select({
      sequence: event.sequence,
      name: event.name,
      entityType: event.entityType,
      entityId: event.entityId,
      payload: event.payload,
      user: event.user,
      runAs: event.runAs,
      requestId: event.requestId,
      at: event.at,
    })
    .from(event)
    .where(sql`${event.sequence} > ${value('since')} AND ${event.sequence} <= ${fitting}`)
    .orderBy(event.sequence),
);
export type EventRow = Awaited<ReturnType<typeof eventsAfter>>[number];

export const eventEnds = query(sql`SELECT (SELECT min(sequence) FROM event), (SELECT max(sequence) FROM event)`, {
  oldest: sql<number | null>``,
  newest: sql<number | null>``,
});

/** `ids`: JSON. What notifications are about; an empty entity stands for all. */
export const scopesOfNotifications = query(
  sql`SELECT id, resource, entity FROM notification
      WHERE id IN ${valuesOf('ids')} AND deleted_at IS NULL`,
  { id: sql<string>``, resource: sql<string>``, entity: sql<string>`` },
);

/** Newest event, and whether any job runs. */
export const newestEvent = query(
  sql`SELECT (SELECT max(sequence) FROM event), EXISTS (SELECT 1 FROM job WHERE lease_until > 0)`,
  { newest: sql<number | null>``, isRunning: sql<number>`` },
).first;

/** Progress of the running steps of these users' jobs. `users`: JSON, a list. */
export const progressOf = query(
  sql`SELECT job.id, job.user, job.type, job_task.description, job.steps_begun, job.total_steps, job_task.progress,
      job_task.progress_total, job_task.unit
    FROM job CROSS JOIN job_task ON job_task.job_id = job.id AND job_task.step = job.step AND job_task.attempt = job.attempt
    WHERE job.lease_until > 0 AND job.user IN ${valuesOf('users')}
      AND job_task.progress IS NOT NULL`,
  {
    jobId: sql<string>``,
    user: sql<string>``,
    type: sql<string>``,
    description: sql<string>``,
    currentStepNumber: sql<number>``,
    totalSteps: sql<number>``,
    progress: sql<number>``,
    total: sql<number>``,
    unit: sql<string>``,
  },
);
export type Progress = Awaited<ReturnType<typeof progressOf>>[number];
