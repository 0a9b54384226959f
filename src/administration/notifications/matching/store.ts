import { type SQL, sql } from 'drizzle-orm';
import {
  eachOf,
  type PreparedStatement,
  query,
  statement,
  value,
  valuesOf,
  writes,
} from '../../../core/store/statement.ts';
import { notification, subscription } from '../tables.ts';

/** An event as subscriptions are looked for. */
export type EventKey = {
  readonly event: string;
  readonly entity: string;
  /** JSON: a list. */
  readonly selectors: readonly unknown[];
};

/** Position of an event in its commit. */
export type EventOffset = { readonly behind: number };

/** Two or three places in one index, however many subscriptions there are. */
const subscribed = (selector: SQL): SQL =>
  sql`subscription WHERE event = ${value('event')} AND entity IN ('', ${value('entity')}) AND selector ${selector}`;
const noSelector = sql`= ''`;
const anySelector = sql`IN ${valuesOf('selectors')}`;

/** The event with so many events of its commit behind it, when all of them are stored. */
const sequence = sql`(SELECT max(sequence) FROM event) - ${value('behind')}`;

/** Null id if the receiver must be asked first: it violates a constraint, which refuses the commit. */
const id = sql`CASE exact WHEN 1 THEN notification_id END`;
const alreadyAsked = sql`exact = 0 AND EXISTS (
  SELECT 1 FROM ${eachOf('alreadyAsked')} WHERE value = notification_id || ' ' || version)`;

const intoOutbox = sql`INSERT INTO ${writes('outbox')} (notification_id, sequence, at)`;
const intoParked = sql`INSERT INTO ${writes('parked')} (notification_id, sequence, at, reason, attempts)`;

/** A row for each subscription to the event. Refused when one of them has to be asked. */
export const matchOne = statement<EventOffset & { event: string; entity: string; now: number }>(
  sql`${intoOutbox} SELECT ${id}, ${sequence}, ${value('now')} FROM ${subscribed(noSelector)}`,
);
export const matchSeveral = statement<EventOffset & EventKey & { now: number }>(
  sql`${intoOutbox} SELECT DISTINCT ${id}, ${sequence}, ${value('now')} FROM ${subscribed(anySelector)}`,
);

type MatchValues = EventOffset & EventKey & { readonly now: number; readonly alreadyAsked: readonly unknown[] };

/**
 * Matches the rest of the notifications, except those asked before the commit. Fails if others were asked meanwhile.
 */
export const matchRest: PreparedStatement<MatchValues> = statement(
  sql`${intoOutbox} SELECT DISTINCT ${id}, ${sequence}, ${value('now')} FROM ${subscribed(anySelector)} AND NOT (${alreadyAsked})`,
);

/** Parks events that go round in a circle, instead of delivering them. */
export const parkRest: PreparedStatement<MatchValues> = statement(
  sql`${intoParked} SELECT DISTINCT ${id}, ${sequence}, ${value('now')}, 'loop', 0 FROM ${subscribed(anySelector)} AND NOT (${alreadyAsked})`,
);

/** Notifications that were asked and want the event, without those deleted since. */
const chosen = sql`notification WHERE id IN ${valuesOf('ids')} AND deleted_at IS NULL`;
type Chosen = EventOffset & { readonly ids: readonly string[]; readonly now: number };

export const matchChosen = statement<Chosen>(
  // A notification that has become exact meanwhile is already in the outbox.
  sql`${intoOutbox} SELECT id, ${sequence}, ${value('now')} FROM ${chosen} ON CONFLICT DO NOTHING`,
);
export const parkChosen = statement<Chosen>(
  sql`${intoParked} SELECT id, ${sequence}, ${value('now')}, 'loop', 0 FROM ${chosen} ON CONFLICT DO NOTHING`,
);

const overfull = sql`parked JOIN queue USING (notification_id)
  WHERE parked.sequence = ${sequence} AND queue.parked > ${value('max')}`;
const loseLoops = statement<EventOffset & { max: number }>(
  sql`UPDATE ${writes('queue')} SET lost = lost + 1 WHERE notification_id IN (SELECT notification_id FROM ${overfull})`,
);
const dropLoops = statement<EventOffset & { max: number }>(
  sql`DELETE FROM ${writes('parked')} WHERE (notification_id, sequence) IN (
    SELECT notification_id, (SELECT min(oldest.sequence) FROM parked oldest WHERE oldest.notification_id = parked.notification_id)
    FROM ${overfull})`,
);

/** Keeps the number of parked rows of each notification below its limit, where the event added one. */
export const trimLoops = (given: EventOffset & { max: number }) => [loseLoops(given), dropLoops(given)];

/** Subscriptions of which being found is not enough. */
export const selectAsked = query(
  sql`SELECT DISTINCT notification_id, version FROM ${subscribed(anySelector)} AND exact = 0`,
  { id: subscription.notificationId, version: subscription.version },
);

export const selectDocuments = query(
  sql`SELECT id, version, document, synchronous, created_at FROM notification WHERE id IN ${valuesOf('ids')}`,
  {
    id: notification.id,
    version: notification.version,
    document: notification.document,
    synchronous: notification.synchronous,
    createdAt: notification.createdAt,
  },
);
