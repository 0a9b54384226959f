import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { expectVersion, guard } from '../../../core/store/guard.ts';
import { resultColumns } from '../../../core/store/rows.ts';
import { counter } from '../../../core/store/schema.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { entityOfSql, removeExternalIdsSql } from '../../../room/entities/external-ids/store.ts';
import { notification, queue } from '../tables.ts';

/** Location of a notification; `entity` is empty for the whole resource. */
export type NotificationScope = { readonly resource: string; readonly entity: string };

/** Columns for answers, and internal ones. */
const columns = {
  id: notification.id,
  resource: notification.resource,
  entity: notification.entity,
  document: notification.document,
  sealed: notification.sealed,
  version: notification.version,
  lane: queue.lane,
  state: queue.state,
};
const exists = sql`${notification.deletedAt} IS NULL`;
const here = sql`${notification.resource} = ${value('resource')} AND ${notification.entity} = ${value('entity')} AND ${exists}`;

const named = sql`coalesce((SELECT id FROM notification WHERE id = ${value('name')}),
  ${entityOfSql('notification', value('name'))})`;

/** By its id, or by an external id. */
export const findNotification = query(
  sql`SELECT ${resultColumns(columns)} FROM notification JOIN queue ON queue.notification_id = id
    WHERE id = ${named} AND resource = ${value('resource')} AND entity = ${value('entity')} AND deleted_at IS NULL`,
  columns,
);
export type NotificationRow = Awaited<ReturnType<typeof findNotification>>[number];

/** Like `findNotification`, for all resources. */
export const findAnywhere = query(
  sql`SELECT id, document, version FROM notification WHERE id = ${named} AND deleted_at IS NULL`,
  { id: notification.id, document: notification.document, version: notification.version },
);

export const listIds = query((db) =>
  db
    .select({ id: notification.id })
    .from(notification)
    .where(here)
    .orderBy(notification.createdAt, notification.id)
    .limit(value('limit'))
    .offset(value('offset')),
);

/** Kept by triggers. None: there is nothing at that place. */
export const countIds = query(
  sql`SELECT value FROM counter WHERE name = 'notifications ' || ${value('resource')} || ' ' || ${value('entity')}`,
  { hits: counter.value },
);

/** A tombstone keeps its version. */
export const unchangedAndThere = guard<{ id: string; version: number }>(
  sql`EXISTS (SELECT 1 FROM notification WHERE id = ${value('id')} AND version = ${value('version')} AND ${exists})`,
);

export const notificationThere = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM notification WHERE id = ${value('id')} AND ${exists})`,
);

export const unchanged = expectVersion(notification.id, notification.version);

/** Tombstones count until they are gone. */
export const roomForOne = guard<{ max: number }>(
  sql`(SELECT value FROM counter WHERE name = 'notifications') < ${value('max')}`,
);

const insertLane = statement<{ lane: string; now: number }>(
  sql`INSERT INTO ${writes('lane')} (name, fence) VALUES (${value('lane')}, ${value('now')}) ON CONFLICT DO NOTHING`,
);

type Stored = {
  readonly id: string;
  readonly document: string;
  readonly sealed: string | null;
  readonly synchronous: number;
  readonly lane: string;
  readonly now: number;
};

const insertRow = statement<Stored & NotificationScope & { user: string }>(
  sql`INSERT INTO ${writes('notification')} (id, resource, entity, document, sealed, synchronous, version, created_at, created_by, changed_at)
    VALUES (${value('id')}, ${value('resource')}, ${value('entity')}, ${value('document')}, ${value('sealed')},
      ${value('synchronous')}, 1, ${value('now')}, ${value('user')}, ${value('now')})`,
);
const insertQueue = statement<{ id: string; lane: string; now: number; every: number }>(
  sql`INSERT INTO ${writes('queue')} (notification_id, lane, state, state_since, every)
    VALUES (${value('id')}, ${value('lane')}, 'active', ${value('now')}, ${value('every')})`,
);
const insertSubscriptions = statement<{ id: string; rows: readonly unknown[] }>(
  sql`INSERT INTO ${writes('subscription')} (event, entity, selector, notification_id, version, exact)
    SELECT json_extract(rows.value, '$[0]'), entity, json_extract(rows.value, '$[1]'), notification.id, version,
      json_extract(rows.value, '$[2]')
    FROM ${eachOf('rows')} AS rows JOIN notification ON notification.id = ${value('id')}`,
);

/** Event, selector, and 1 where being found under it is enough. */
export type SubscriptionRow = readonly [event: string, selector: string, exact: 0 | 1];

export function createNotification(
  given: Stored & NotificationScope & { user: string; every?: number },
  subscriptions: readonly SubscriptionRow[],
): Statement[] {
  const { id, lane, now, every = 0 } = given;
  return [
    insertLane({ lane, now }),
    insertRow(given),
    insertQueue({ id, lane, now, every }),
    insertSubscriptions({ id, rows: subscriptions }),
  ];
}

const updateRow = statement<Stored>(
  sql`UPDATE ${writes('notification')} SET document = ${value('document')}, sealed = ${value('sealed')},
    synchronous = ${value('synchronous')}, version = version + 1, changed_at = ${value('now')} WHERE id = ${value('id')}`,
);
const deleteSubscriptions = statement<{ id: string }>(
  sql`DELETE FROM ${writes('subscription')} WHERE notification_id = ${value('id')}`,
);
const moveQueue = statement<{ id: string; lane: string }>(
  sql`UPDATE ${writes('queue')} SET lane = ${value('lane')} WHERE notification_id = ${value('id')} AND lane <> ${value('lane')}`,
);

/**
 * Updates a notification. Waiting events go to the new address, in the new lane. Without subscriptions it stays
 * disabled.
 */
export function changeNotification(given: Stored, subscriptions: readonly SubscriptionRow[] | undefined): Statement[] {
  const { id, lane, now } = given;
  return [
    insertLane({ lane, now }),
    updateRow(given),
    deleteSubscriptions({ id }),
    ...(subscriptions ? [insertSubscriptions({ id, rows: subscriptions })] : []),
    moveQueue({ id, lane }),
  ];
}

const advance = statement<{ id: string }>(
  sql`UPDATE ${writes('notification')} SET version = version + 1 WHERE id = ${value('id')}`,
);

/** Deletes the subscriptions: no event matches from the next commit on. Used with `pauseQueue`. */
export const unsubscribe = (id: string): Statement[] => [advance({ id }), deleteSubscriptions({ id })];

export const subscribe = (id: string, subscriptions: readonly SubscriptionRow[]): Statement[] => [
  advance({ id }),
  deleteSubscriptions({ id }),
  insertSubscriptions({ id, rows: subscriptions }),
];

/**
 * Deletes notifications. Those with nothing waiting are gone at once; of the others nothing more is matched, and what
 * waits is still told.
 */
export function burial<V extends { readonly now: number }>(which: SQL): (given: V) => Statement[] {
  const those = sql`SELECT id FROM notification WHERE ${which} AND deleted_at IS NULL`;
  const waits = sql`EXISTS (SELECT 1 FROM queue WHERE notification_id = notification.id AND head IS NOT NULL)`;
  const statements = [
    removeExternalIdsSql('notification', those),
    sql`DELETE FROM ${writes('notification')} WHERE ${which} AND deleted_at IS NULL AND NOT ${waits}`,
    sql`DELETE FROM ${writes('subscription')} WHERE notification_id IN (${those})`,
    sql`DELETE FROM ${writes('replay')} WHERE notification_id IN (${those})`,
    // Earlier failures do not count: the last event gets all its retries.
    sql`UPDATE ${writes('queue')} SET state = 'active', resume_at = NULL, failures = 0, failing_since = NULL, pauses = 0
      WHERE notification_id IN (${those})`,
    sql`UPDATE ${writes('notification')} SET deleted_at = ${value('now')} WHERE ${which} AND deleted_at IS NULL`,
  ].map((template) => statement<V>(template));
  return (given) => statements.map((statement) => statement(given));
}

/** Deletes all notifications about one entity. */
export const buryEntity = burial<NotificationScope & { now: number }>(
  sql`resource = ${value('resource')} AND entity = ${value('entity')}`,
);

/** `ids`: JSON, a list. */
export const buryAll = burial<{ ids: readonly string[]; now: number }>(sql`id IN ${valuesOf('ids')}`);
