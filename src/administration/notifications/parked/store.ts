import { sql } from 'drizzle-orm';
import { rowExists } from '../../../core/store/guard.ts';
import { event } from '../../../core/store/schema.ts';
import { query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { parked } from '../tables.ts';

export const listParked = query((db) =>
  db
    .select({
      sequence: parked.sequence,
      trigger: event.name,
      entity: event.entityId,
      happened: event.at,
      parked: parked.at,
      reason: parked.reason,
      attempts: parked.attempts,
    })
    .from(parked)
    .innerJoin(event, sql`${event.sequence} = ${parked.sequence}`)
    .where(sql`${parked.notificationId} = ${value('id')} AND ${parked.sequence} >= ${value('first')}`)
    .orderBy(parked.sequence)
    .limit(value('limit')),
);

export const isParked = rowExists(parked, 'notificationId', 'sequence');

export const deleteParked = statement<{ id: string; sequences: readonly unknown[] }>(
  sql`DELETE FROM ${writes('parked')} WHERE notification_id = ${value('id')} AND sequence IN ${valuesOf('sequences')}`,
);
