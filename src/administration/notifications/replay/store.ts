import { type SQL, sql } from 'drizzle-orm';
import { changeSetOfEvent } from '../../../assets/metadata/public-reading.ts';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { dueWhile } from '../../../core/store/due.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { event } from '../../../core/store/schema.ts';
import { query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import { notification, parked, replay } from '../tables.ts';

type Again = {
  readonly id: string;
  /** JSON: a list. */
  readonly sequences: readonly number[];
  readonly now: number;
};

const insertAgain = statement<Again>(
  sql`INSERT INTO ${writes('outbox')} (notification_id, sequence, at, earlier)
    SELECT ${value('id')}, sequence, ${value('now')}, coalesce(
      (SELECT attempts FROM parked WHERE parked.notification_id = ${value('id')} AND parked.sequence = event.sequence),
      (SELECT max(number) FROM attempt WHERE attempt.notification_id = ${value('id')} AND attempt.sequence = event.sequence), 0)
    FROM event WHERE sequence IN ${valuesOf('sequences')}
      AND EXISTS (SELECT 1 FROM notification WHERE id = ${value('id')} AND deleted_at IS NULL)
    ON CONFLICT DO NOTHING`,
);
const unpark = statement<Again>(
  sql`DELETE FROM ${writes('parked')} WHERE notification_id = ${value('id')}
    AND sequence IN ${valuesOf('sequences')}`,
);

/** Adds stored events to the outbox of one notification. Waiting events are unaffected. */
export const sendAgain = (again: Again): Statement[] => [insertAgain(again), unpark(again)];

export const eventThere = rowExists(event, 'sequence');

const shown = {
  id: replay.notificationId,
  since: replay.since,
  onlyParked: replay.onlyParked,
  dryRun: replay.dryRun,
  next: replay.next,
  until: replay.until,
  scanned: replay.scanned,
  found: replay.found,
  state: replay.state,
  askedBy: replay.askedBy,
  askedAt: replay.askedAt,
  endedAt: replay.endedAt,
};

export const findReplay = query((db) =>
  db
    .select(shown)
    .from(replay)
    .where(sql`${replay.notificationId} = ${value('id')}`),
);
export type ReplayRow = Awaited<ReturnType<typeof findReplay>>[number];

export const replaysDue = dueWhile(sql`SELECT 1 FROM replay WHERE state = 'running'`);

/** Running replays with their notifications. */
export const runningReplays = query((db) =>
  db
    .select({ ...shown, document: notification.document, entity: notification.entity })
    .from(replay)
    .innerJoin(notification, sql`${notification.id} = ${replay.notificationId}`)
    .where(sql`${replay.state} = 'running'`)
    .limit(value('limit')),
);
export type RunningReplay = Awaited<ReturnType<typeof runningReplays>>[number];

/** Number of its waiting events, up to a limit. */
export const countWaiting = query(
  sql`SELECT count(*) FROM (SELECT 1 FROM outbox WHERE notification_id = ${value('id')} LIMIT ${value('limit')})`,
  { count: sql<number>`` },
);

/** Times grow with sequences, so looking in the middle twenty times finds the place among a million. */
const middle = (column: SQL): SQL =>
  sql`(SELECT ${column} FROM event WHERE sequence >= (low + high) / 2 ORDER BY sequence LIMIT 1)`;
const tooOld = sql`${middle(sql`at`)} < ${value('since')}`;
const selectPlace = query(
  sql`WITH RECURSIVE halves (low, high) AS (
      SELECT (SELECT min(sequence) FROM event), (SELECT max(sequence) + 1 FROM event)
      UNION ALL
      SELECT CASE WHEN ${tooOld} THEN ${middle(sql`sequence`)} + 1 ELSE low END, CASE WHEN ${tooOld} THEN high ELSE (low + high) / 2 END
      FROM halves WHERE low < high
    )
    SELECT low, (SELECT max(sequence) + 1 FROM event) FROM halves ORDER BY high - low LIMIT 1`,
  { first: event.sequence, end: event.sequence },
);

/** The sequence of the first event that is not older than that, and the one behind the last. Both 0: there are none. */
export async function windowSince(store: Store, since: number): Promise<{ first: number; end: number }> {
  const [row] = await selectPlace(store, { since });
  return { first: row?.first ?? 0, end: row?.end ?? 0 };
}

export const eventsBetween = query((db) =>
  db
    .select({
      sequence: event.sequence,
      name: event.name,
      entityType: event.entityType,
      entityId: event.entityId,
      payload: event.payload,
      changeSet: changeSetOfEvent,
      at: event.at,
    })
    .from(event)
    .where(sql`${event.sequence} >= ${value('first')} AND ${event.sequence} < ${value('end')}`)
    .orderBy(event.sequence)
    .limit(value('limit')),
);

export const parkedBetween = query((db) =>
  db
    .select({ sequence: parked.sequence, at: event.at })
    .from(parked)
    .innerJoin(event, sql`${event.sequence} = ${parked.sequence}`)
    .where(
      sql`${parked.notificationId} = ${value('id')} AND ${parked.sequence} >= ${value('first')} AND ${parked.sequence} < ${value('end')}`,
    )
    .orderBy(parked.sequence)
    .limit(value('limit')),
);

type NewReplay = {
  readonly id: string;
  readonly since: number;
  readonly onlyParked: number;
  readonly dryRun: number;
  readonly next: number;
  readonly until: number;
  readonly user: string;
  readonly now: number;
};

const noneRuns = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM replay WHERE notification_id = ${value('id')} AND state = 'running')
    AND EXISTS (SELECT 1 FROM notification WHERE id = ${value('id')} AND deleted_at IS NULL)`,
);
const insertReplay = statement<NewReplay>(
  sql`INSERT OR REPLACE INTO ${writes('replay')} (notification_id, since, only_parked, dry_run, next, until, scanned, found, state, asked_by, asked_at)
    VALUES (${value('id')}, ${value('since')}, ${value('onlyParked')}, ${value('dryRun')}, ${value('next')}, ${value('until')},
      0, 0, 'running', ${value('user')}, ${value('now')})`,
);

/** The last one is forgotten; one that runs is in the way. */
export const beginReplay = (given: NewReplay, runs: ServiceError): Statement[] => [
  noneRuns({ id: given.id }, runs),
  insertReplay(given),
];

/** Only one instance takes each step. */
export const stepIsNext = guard<{ id: string; next: number }>(
  sql`EXISTS (SELECT 1 FROM replay WHERE notification_id = ${value('id')} AND state = 'running' AND next = ${value('next')})`,
);
export const advanceReplay = statement<{
  id: string;
  next: number;
  scanned: number;
  found: number;
  now: number;
}>(
  sql`UPDATE ${writes('replay')} SET next = ${value('next')}, scanned = scanned + ${value('scanned')}, found = found + ${value('found')},
      state = CASE WHEN ${value('next')} >= until THEN 'done' ELSE state END,
      ended_at = CASE WHEN ${value('next')} >= until THEN ${value('now')} END
    WHERE notification_id = ${value('id')}`,
);
export const endReplay = statement<{ id: string; now: number }>(
  sql`UPDATE ${writes('replay')} SET state = 'done', ended_at = ${value('now')} WHERE notification_id = ${value('id')} AND state = 'running'`,
);
