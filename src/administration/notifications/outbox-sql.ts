import { sql } from 'drizzle-orm';
import { changeSetOfEvent } from '../../assets/metadata/public-reading.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Actor, Touch } from '../../core/store/contract.ts';
import { earliestDue } from '../../core/store/due.ts';
import { guard, rowExists } from '../../core/store/guard.ts';
import { resultColumns } from '../../core/store/rows.ts';
import { event } from '../../core/store/schema.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import { newestSecret } from './secrets/store.ts';
import { lane, notification, outbox, parked, queue } from './tables.ts';

/**
 * Statements of a delivery tick. One tick, for as many lanes as it may process at a time:
 *
 * 1. `claimLanes` takes lanes that are ready, until a time. Nobody else gets them before that; should the process end,
 *    somebody gets them then, with a higher fence.
 * 2. `headsOf` reads, for each lane, the row that is next: the oldest event of all notifications that share it.
 *    A lane without one is given back by `releaseLane`.
 * 3. After the call to the receiver, ONE commit says what came of it. It begins with `stillMine`, so that an
 *    instance that was too slow and lost the lane changes nothing. It also holds the attempt (`attempts/store.ts`) and one of
 *    - `deliver` and `countSuccess`: done, the next row becomes the head;
 *    - `tryAgain`, `countFailure` and `postponeLane`: the lane waits, and so does everything behind this row;
 *    - `park` and `countFailure`: given up, visible in `parked`, the lane moves on;
 *    - `drop`: of a notification that was deleted (`deletedAt` of the head), when it is given up.
 *    The commit of a delivery ends with `releaseIfIdle`: mostly nothing else waits.
 * 4. Then the next row, or `releaseLane`. `renewLane` moves the end of the lease for a call that takes long.
 *
 * `pauseQueue` and `activateQueue` take the rows of one notification out of its lane and bring them back; `resumeDue`
 * does that for pauses that are over. Triggers keep `queue.head`, wake an idle lane when a row comes into it, and take
 * away a deleted notification with its last row: see `schema-sql.ts`. `readyTimes` tells how long there is nothing to do.
 */

/** Lane with its fence, which proves the ownership. */
export type Claim = {
  readonly lane: string;
  readonly fence: number;
};

const claim = statement<{ now: number; until: number; owner: string; max: number }>(
  sql`UPDATE ${writes('lane')} SET ready = ${value('until')}, owner = ${value('owner')}, fence = max(fence + 1, ${value('now')})
    WHERE name IN (SELECT name FROM lane WHERE ready <= ${value('now')} ORDER BY ready LIMIT ${value('max')})
    RETURNING name, fence`,
  { returns: true },
);

/** Up to `max` lanes that are ready, until that time. The longest waiting first. */
export async function claimLanes(
  store: Store,
  given: { now: number; until: number; owner: string; max: number },
  actor: Actor,
): Promise<Claim[]> {
  const [rows = []] = await store.commit(changing(claim(given)), actor);
  return rows.map(([name, fence]) => ({ lane: String(name), fence: Number(fence) }));
}

const head = {
  lane: sql<string>`lanes.value`,
  notificationId: outbox.notificationId,
  sequence: outbox.sequence,
  at: outbox.at,
  attempts: outbox.attempts,
  failingSince: outbox.failingSince,
  earlier: outbox.earlier,
  document: notification.document,
  sealed: notification.sealed,
  version: notification.version,
  deletedAt: notification.deletedAt,
  synchronous: notification.synchronous,
  resource: notification.resource,
  entity: notification.entity,
  createdBy: notification.createdBy,
  newestSecret: sql<number | null>`${newestSecret}`,
  failures: queue.failures,
  failingAllSince: queue.failingSince,
  pauses: queue.pauses,
  parked: queue.parked,
  name: event.name,
  entityType: event.entityType,
  entityId: event.entityId,
  payload: event.payload,
  changeSet: changeSetOfEvent,
  user: event.user,
  runAs: event.runAs,
  requestId: event.requestId,
  happenedAt: event.at,
  depth: event.depth,
};

/** When the first row of a queue goes out, in the scope of its row. */
const due = sql`CASE every WHEN 0 THEN 0 ELSE every * (1 + (SELECT at FROM outbox
  WHERE outbox.notification_id = queue.notification_id AND outbox.sequence = queue.head) / every) END`;

const selectHeads = query(
  sql`SELECT ${resultColumns(head)} FROM ${eachOf('lanes')} AS lanes
    JOIN queue ON queue.notification_id = (
      SELECT notification_id FROM queue WHERE lane = lanes.value AND state = 'active' AND head IS NOT NULL
        AND ${due} <= ${value('now')}
      ORDER BY head, notification_id LIMIT 1)
    JOIN outbox ON outbox.notification_id = queue.notification_id AND outbox.sequence = queue.head
    JOIN notification ON notification.id = queue.notification_id
    JOIN event ON event.sequence = outbox.sequence`,
  head,
);

/** Next event in each of the lanes that is due. Other lanes are left out. */
export const headsOf = (store: Store, lanes: readonly string[], now: number) => selectHeads(store, { lanes, now });
export type Head = Awaited<ReturnType<typeof headsOf>>[number];

/** Guards that no other instance has claimed the lane since. */
export const stillMine = guard<{ lane: string; fence: number }>(
  sql`EXISTS (SELECT 1 FROM lane WHERE name = ${value('lane')} AND fence = ${value('fence')})`,
);

const claimed = sql`name = ${value('lane')} AND fence = ${value('fence')}`;

/** Guards that the notification is unchanged since the call: neither edited, nor paused, nor deleted. */
export const asCalled = guard<{ notificationId: string; version: number; deletedAt: number | null }>(
  sql`EXISTS (SELECT 1 FROM notification JOIN queue ON notification_id = id
    WHERE id = ${value('notificationId')} AND version = ${value('version')} AND deleted_at IS ${value('deletedAt')}
      AND state = 'active')`,
);

export const renewLane = statement<Claim & { until: number }>(
  // A lane released meanwhile keeps its time.
  sql`UPDATE ${writes('lane')} SET ready = ${value('until')} WHERE ${claimed} AND owner IS NOT NULL`,
);

/** Leaves the lane idle until the given time, unless `wakeLane` is called. */
export const postponeLane = statement<Claim & { until: number }>(
  sql`UPDATE ${writes('lane')} SET ready = ${value('until')}, owner = NULL WHERE ${claimed}`,
);

const release = statement<Claim & { now: number }>(
  sql`UPDATE ${writes('lane')} SET owner = NULL, ready = (SELECT max(${value('now')}, min(${due}))
      FROM queue WHERE queue.lane = name AND state = 'active' AND head IS NOT NULL)
    WHERE ${claimed}`,
);
const removeLane = statement<{ lane: string }>(
  sql`DELETE FROM ${writes('lane')} WHERE name = ${value('lane')} AND ready IS NULL
    AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.lane = name)`,
);

/** Releases a lane: ready for other instances if a row came meanwhile, else idle. */
export const releaseLane = (given: Claim & { now: number }) => [release(given), removeLane({ lane: given.lane })];

const releaseIdle = statement<Claim>(
  sql`UPDATE ${writes('lane')} SET owner = NULL, ready = NULL WHERE ${claimed} AND NOT EXISTS (
      SELECT 1 FROM queue WHERE queue.lane = name AND state = 'active' AND head IS NOT NULL)
    RETURNING name`,
  { returns: true },
);

/** Releases a lane if nothing waits in it, for the commit of its last delivery. Returns a row then. */
export const releaseIfIdle = (claim: Claim) => [releaseIdle(claim), removeLane({ lane: claim.lane })];

const takeBack = statement<{ now: number }>(
  // A fence that no claim has: an instance that runs nevertheless changes nothing any more.
  sql`UPDATE ${writes('lane')} SET owner = NULL, ready = ${value('now')}, fence = max(fence + 1, ${value('now')})
    WHERE owner IS NOT NULL RETURNING name`,
  { returns: true },
);

/** Ends every lease, also of lanes whose holders were killed. Gives their number. */
export async function takeBackLanes(store: Store, given: { now: number }, actor: Actor): Promise<number> {
  const [rows = []] = await store.commit(changing(takeBack(given)), actor);
  return rows.length;
}

/** Ends a pause between attempts. */
export const wakeLane = statement<{ lane: string; now: number }>(
  sql`UPDATE ${writes('lane')} SET ready = ${value('now')} WHERE name = ${value('lane')} AND owner IS NULL AND ready > ${value('now')}`,
);

/** Wakes the lane if only deleted notifications made it wait: they must not delay a new one. */
export const wakeAbandonedLane = statement<{ lane: string; now: number }>(
  sql`UPDATE ${writes('lane')} SET ready = ${value('now')} WHERE name = ${value('lane')} AND owner IS NULL AND ready > ${value('now')}
    AND NOT EXISTS (SELECT 1 FROM queue JOIN notification ON id = notification_id
      WHERE queue.lane = ${value('lane')} AND state = 'active' AND head IS NOT NULL AND deleted_at IS NULL)`,
);

/** Key of a row of the outbox. */
type Waiting = {
  readonly notificationId: string;
  readonly sequence: number;
};

const thisRow = sql`notification_id = ${value('notificationId')} AND sequence = ${value('sequence')}`;
const thisQueue = sql`notification_id = ${value('notificationId')}`;

export const deleteDelivery = statement<Waiting>(sql`DELETE FROM ${writes('outbox')} WHERE ${thisRow}`);

/** `attempts`: how many there were, `earlier` ones not counted. */
export const tryAgain = statement<Waiting & { attempts: number; now: number }>(
  sql`UPDATE ${writes('outbox')} SET attempts = ${value('attempts')}, failing_since = coalesce(failing_since, ${value('now')})
    WHERE ${thisRow}`,
);

const countLost = statement<{ notificationId: string }>(
  sql`UPDATE ${writes('queue')} SET lost = lost + 1 WHERE ${thisQueue}`,
);
export const loseDelivery = (row: Waiting) => [countLost({ notificationId: row.notificationId }), deleteDelivery(row)];

/** Reason why a row was parked. */
type ParkReason = 'attempts' | 'blocked' | 'refused' | 'loop' | 'disabled';

const insertParked = statement<Waiting & { attempts: number; reason: ParkReason; now: number }>(
  sql`INSERT INTO ${writes('parked')} (notification_id, sequence, at, reason, attempts)
    SELECT notification_id, sequence, ${value('now')}, ${value('reason')}, ${value('attempts')} FROM outbox WHERE ${thisRow}
    ON CONFLICT DO UPDATE SET at = excluded.at, reason = excluded.reason, attempts = excluded.attempts`,
);
const oldestParked = sql`${thisQueue} AND sequence = (SELECT min(sequence) FROM parked WHERE ${thisQueue})
  AND (SELECT parked FROM queue WHERE ${thisQueue}) > ${value('max')}`;
const countTrimmed = statement<{ notificationId: string; max: number }>(
  sql`UPDATE ${writes('queue')} SET lost = lost + 1 WHERE ${thisQueue} AND parked > ${value('max')}`,
);
const trimParked = statement<{ notificationId: string; max: number }>(
  sql`DELETE FROM ${writes('parked')} WHERE ${oldestParked}`,
);

/** `attempts`: all that there were, also `earlier` ones. `max`: how many rows of one notification may be parked. Beyond, the oldest goes. */
export function park(row: Waiting & { attempts: number; reason: ParkReason; now: number; max: number }) {
  const { notificationId, sequence, max } = row;
  return [
    insertParked(row),
    deleteDelivery({ notificationId, sequence }),
    countTrimmed({ notificationId, max }),
    trimParked({ notificationId, max }),
  ];
}

export const countSuccess = statement<{ notificationId: string; now: number }>(
  sql`UPDATE ${writes('queue')} SET delivered = delivered + 1, delivered_at = ${value('now')}, failures = 0, failing_since = NULL,
    pauses = 0, reason = CASE WHEN state = 'active' THEN NULL ELSE reason END WHERE ${thisQueue}`,
);

export const countFailure = statement<{ notificationId: string; now: number }>(
  sql`UPDATE ${writes('queue')} SET failed = failed + 1, failed_at = ${value('now')}, failures = failures + 1,
    failing_since = coalesce(failing_since, ${value('now')}) WHERE ${thisQueue}`,
);

type Pause = {
  readonly notificationId: string;
  readonly state: 'paused' | 'disabled';
  readonly reason: string;
  readonly now: number;
  /** End of the pause. Null: until resumed by a request. */
  readonly resumeAt: number | null;
  /** Pauses in a row that this is; 0 where a person asked for it. */
  readonly pauses: number;
};

const setPause = statement<Pause>(
  sql`UPDATE ${writes('queue')} SET state = ${value('state')}, reason = ${value('reason')}, state_since = ${value('now')},
    resume_at = ${value('resumeAt')}, pauses = ${value('pauses')} WHERE ${thisQueue}`,
);
const wakeLaneOf = statement<{ notificationId: string; now: number }>(
  sql`UPDATE ${writes('lane')} SET ready = ${value('now')} WHERE name = (SELECT lane FROM queue WHERE ${thisQueue})
    AND owner IS NULL AND ready > ${value('now')}`,
);

/** Rows go on coming into it. What else waits in the lane does not wait for this one any longer. */
export const pauseQueue = (pause: Pause) => [
  setPause(pause),
  wakeLaneOf({ notificationId: pause.notificationId, now: pause.now }),
];

const setActive = statement<{ notificationId: string; now: number }>(
  sql`UPDATE ${writes('queue')} SET state = 'active', reason = NULL, state_since = ${value('now')}, resume_at = NULL WHERE ${thisQueue}`,
);

/** Activates a queue at once, even if its lane waits between two attempts. */
export const activateQueue = (given: { notificationId: string; now: number }) => [setActive(given), wakeLaneOf(given)];

const clearFailures = statement<{ notificationId: string; now: number }>(
  // Only a pause of the service's own ends by itself.
  sql`UPDATE ${writes('queue')} SET failures = 0, failing_since = NULL, pauses = min(pauses, 1), resume_at = NULL,
    state_since = CASE WHEN resume_at IS NULL THEN state_since ELSE ${value('now')} END,
    state = CASE WHEN resume_at IS NULL THEN state ELSE 'active' END,
    reason = CASE WHEN resume_at IS NULL AND state <> 'active' THEN reason END
    WHERE ${thisQueue}`,
);

/**
 * The notification has a new receiver: pauses for failures of the old one end, a pause by a person does not. The queue
 * remembers the pause: receivers of `notification/paused` also get `notification/recovered`.
 */
export const resetFailures = (given: { notificationId: string; now: number }) => [
  clearFailures(given),
  wakeLaneOf(given),
];

const setDueActive = statement<{ now: number; max: number }>(
  sql`UPDATE ${writes('queue')} SET state = 'active', state_since = ${value('now')}, resume_at = NULL
    WHERE notification_id IN (SELECT notification_id FROM queue WHERE resume_at <= ${value('now')} ORDER BY resume_at LIMIT ${value('max')})
    RETURNING notification_id`,
  { returns: true },
);

/** Ends expired pauses, and returns their notifications. `reason` and number stay until a delivery succeeds. */
export async function resumeDue(store: Store, given: { now: number; max: number }, actor: Actor): Promise<string[]> {
  const [rows = []] = await store.commit(changing(setDueActive(given)), actor);
  return rows.map(([id]) => String(id));
}

const firstReady = sql`SELECT min(ready) FROM lane WHERE ready IS NOT NULL`;
const firstResumed = sql`SELECT min(resume_at) FROM queue WHERE resume_at IS NOT NULL`;
export const lanesDue = earliestDue(firstReady, firstResumed);
const selectReady = query(sql`SELECT (${firstReady}), (${firstResumed})`, {
  lane: lane.ready,
  pause: queue.resumeAt,
});

/** Times of the next work: for a lane, and for the end of a pause. Null: not before a commit. */
export async function readyTimes(
  store: Store,
): Promise<{ readonly lane: number | null; readonly pause: number | null }> {
  const [row = { lane: null, pause: null }] = await selectReady(store, {});
  return row;
}

const measure = query(
  sql`SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ${value('max')})),
    (SELECT at FROM event WHERE sequence = (
      SELECT head FROM queue WHERE head IS NOT NULL AND ${due} <= ${value('now')} ORDER BY head LIMIT 1)),
    (SELECT count(*) FROM lane WHERE owner IS NOT NULL)`,
  { waiting: sql<number>``, oldest: event.at, running: sql<number>`` },
);

/** Number of waiting rows up to a limit, time of the oldest that is due, and number of leased lanes. */
export async function measureOutbox(
  store: Store,
  max: number,
  now: number,
): Promise<{ waiting: number; oldest: number | undefined; running: number }> {
  const [row] = await measure(store, { max, now });
  return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined, running: row?.running ?? 0 };
}

/** Tells the work loop that something may be due that waits for a notification, although nothing happened. */
export const queueOf = (id: string): Touch => ({ kind: 'notification', id, aspect: 'queue' });

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
