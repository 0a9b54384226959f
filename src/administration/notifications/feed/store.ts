import { sql } from 'drizzle-orm';
import {
  changeSetOfEvent,
  forgetKeptSets,
  payloadBytes,
  withPayloads,
} from '../../../assets/metadata/public-reading.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { DueTime } from '../../../core/store/due.ts';
import { event } from '../../../core/store/schema.ts';
import { query, type Reader, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';

/** Last event of a page that has so many bytes. A page has at least one event. */
const fitting = sql`(SELECT max(sequence) FROM (
    SELECT sequence, bytes, SUM(bytes) OVER (ORDER BY sequence) AS upto FROM (
      SELECT sequence, ${payloadBytes} AS bytes FROM event
        WHERE sequence > ${value('since')} ORDER BY sequence LIMIT ${value('limit')}))
  WHERE upto <= ${value('bytes')} OR upto = bytes)`;

const selectAfter = query((db) =>
  db
    .select({
      sequence: event.sequence,
      name: event.name,
      entityType: event.entityType,
      entityId: event.entityId,
      payload: event.payload,
      changeSet: changeSetOfEvent,
      user: event.user,
      runAs: event.runAs,
      requestId: event.requestId,
      at: event.at,
    })
    .from(event)
    .where(sql`${event.sequence} > ${value('since')} AND ${event.sequence} <= ${fitting}`)
    .orderBy(event.sequence),
);
export const eventsAfter = async (reader: Reader, page: { since: number; limit: number; bytes: number }) =>
  runInSlices(withPayloads(await selectAfter(reader, page)));
export type EventRow = Awaited<ReturnType<typeof eventsAfter>>[number];

/** Ends of the feed, and whether any job runs. */
export const feedState = query(
  sql`SELECT (SELECT min(sequence) FROM event), (SELECT max(sequence) FROM event),
    EXISTS (SELECT 1 FROM job WHERE lease_until > 0)`,
  { oldest: sql<number | null>``, newest: sql<number | null>``, isRunning: sql<number>`` },
).first;

/** `ids`: JSON. What notifications are about; an empty entity stands for all. */
export const scopesOfNotifications = query(
  sql`SELECT id, resource, entity FROM notification
      WHERE id IN ${valuesOf('ids')} AND deleted_at IS NULL`,
  { id: sql<string>``, resource: sql<string>``, entity: sql<string>`` },
);

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

export const oldEventsDue = (kept: number): DueTime =>
  sql`SELECT at + ${kept} FROM (SELECT at FROM event ORDER BY sequence LIMIT 1)`;

export const oldestEvents = query((db) =>
  db.select({ sequence: event.sequence, at: event.at }).from(event).orderBy(event.sequence).limit(value('limit')),
);

type UpTo = { readonly last: number };

/** Deletes deliveries of expired events, and counts them as lost. */
const statements = [
  sql`UPDATE ${writes('queue')} SET lost = lost + (
      SELECT count(*) FROM outbox WHERE outbox.notification_id = queue.notification_id AND sequence <= ${value('last')})
    WHERE head <= ${value('last')}`,
  sql`DELETE FROM ${writes('outbox')} WHERE sequence <= ${value('last')}
    AND notification_id IN (SELECT notification_id FROM queue WHERE head <= ${value('last')})`,
  sql`UPDATE ${writes('queue')} SET lost = lost + (
      SELECT count(*) FROM parked WHERE parked.notification_id = queue.notification_id AND sequence <= ${value('last')})
    WHERE notification_id IN (SELECT notification_id FROM parked WHERE sequence <= ${value('last')})`,
  sql`DELETE FROM ${writes('parked')} WHERE sequence <= ${value('last')}`,
  sql`DELETE FROM ${writes('event')} WHERE sequence <= ${value('last')}`,
].map((template) => statement<UpTo>(template));

/** Events up to that one, and whatever waits for them. */
export const forgetEvents = (upTo: UpTo): Statement[] => [
  ...statements.map((statement) => statement(upTo)),
  forgetKeptSets(upTo.last),
];
