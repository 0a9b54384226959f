import { sql } from 'drizzle-orm';
import { query, value } from '../../../core/store/statement.ts';
import { notification, outbox, queue } from '../tables.ts';

/** State of a notification's deliveries. Waiting events are counted up to a limit. */
export const findHealth = query(
  sql`SELECT lane, state, state_since, reason, resume_at, failures, failing_since, delivered, failed, parked, lost,
      delivered_at, failed_at,
      (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE notification_id = ${value('id')} LIMIT ${value('limit')})),
      (SELECT at FROM outbox WHERE outbox.notification_id = ${value('id')} AND outbox.sequence = queue.head),
      (SELECT ready FROM lane WHERE name = queue.lane AND owner IS NULL AND queue.head IS NOT NULL AND state = 'active')
    FROM queue WHERE notification_id = ${value('id')}`,
  {
    lane: queue.lane,
    state: queue.state,
    stateSince: queue.stateSince,
    reason: queue.reason,
    resumeAt: queue.resumeAt,
    failures: queue.failures,
    failingSince: queue.failingSince,
    delivered: queue.delivered,
    failed: queue.failed,
    parked: queue.parked,
    lost: queue.lost,
    deliveredAt: queue.deliveredAt,
    failedAt: queue.failedAt,
    waiting: sql<number>``,
    oldest: sql<number | null>`${outbox.at}`,
    ready: sql<number | null>``,
  },
);
export type HealthRow = Awaited<ReturnType<typeof findHealth>>[number];

/** Notifications wherever they are registered, for a person: reads them all. */
export const listHealth = query(
  sql`SELECT id, resource, entity, state, reason, failures, delivered, failed, parked, head IS NOT NULL
    FROM notification JOIN queue ON notification_id = id WHERE deleted_at IS NULL
    ORDER BY state = 'active', parked DESC, id LIMIT ${value('limit')}`,
  {
    id: notification.id,
    resource: notification.resource,
    entity: notification.entity,
    state: queue.state,
    reason: queue.reason,
    failures: queue.failures,
    delivered: queue.delivered,
    failed: queue.failed,
    parked: queue.parked,
    waits: sql<number>``,
  },
);
