import { sql } from 'drizzle-orm';
import { resultColumns } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import { newestSecret } from '../secrets/store.ts';
import { notification, queue } from '../tables.ts';

const columns = {
  notificationId: notification.id,
  document: notification.document,
  sealed: notification.sealed,
  version: notification.version,
  resource: notification.resource,
  entity: notification.entity,
  createdBy: notification.createdBy,
  state: queue.state,
  newestSecret: sql<number | null>`${newestSecret}`,
};
const selected = sql`SELECT ${resultColumns(columns)} FROM notification JOIN queue ON queue.notification_id = id`;

/** By its id, unless it was deleted. */
export const findSynchronous = query(sql`${selected} WHERE id = ${value('id')} AND deleted_at IS NULL`, columns);
export type SynchronousRow = Awaited<ReturnType<typeof findSynchronous>>[number];

/** All notifications that wait for an event, the oldest first, synchronous or not. */
export const findAllSynchronous = query(
  sql`${selected} WHERE id IN (SELECT notification_id FROM subscription
      WHERE event = ${value('event')} AND entity IN ('', ${value('entity')}) AND selector = '') AND deleted_at IS NULL
    ORDER BY created_at, id`,
  columns,
);
