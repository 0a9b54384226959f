import { sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import type { DueTime } from '../../../core/store/due.ts';
import { event } from '../../../core/store/schema.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';

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
export const forgetEvents = (upTo: UpTo): Statement[] => statements.map((statement) => statement(upTo));
