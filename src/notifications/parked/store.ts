import { sql } from 'drizzle-orm';
import { guard } from '../../store/guard.ts';
import { event } from '../../store/schema.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { parked } from '../tables.ts';

const value = sql.placeholder;

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

export const isParked = guard<{ id: string; sequence: number }>(
  sql`EXISTS (SELECT 1 FROM parked WHERE notification_id = ${value('id')} AND sequence = ${value('sequence')})`,
);

/** `sequences`: JSON, a list. */
export const deleteParked = statement<{ id: string; sequences: string }>(
  sql`DELETE FROM ${writes('parked')} WHERE notification_id = ${value('id')} AND sequence IN (SELECT value FROM json_each(${value('sequences')}))`,
);
