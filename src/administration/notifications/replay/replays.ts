import { payloadOf } from '../../../assets/metadata/public-reading.ts';
import type { Triggers } from '../../../core/events/event-kinds.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Actor, CommitPlan, EventRecord } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { type Piece, workKind } from '../../../core/work/work-kind.ts';
import { queueOf, wakeLane } from '../outbox-sql.ts';
import { accepts, type Filters, filtersOf } from '../trigger/subscriptions.ts';
import {
  advanceReplay,
  beginReplay,
  countWaiting,
  eventsBetween,
  eventThere,
  parkedBetween,
  type RunningReplay,
  replaysDue,
  runningReplays,
  sendAgain,
  stepIsNext,
  windowSince,
} from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly triggers: Triggers;
  readonly actor: Actor;
}

/** Events looked at in one step. */
const step = 500;
/** Limit of waiting events until a replay rests, so that current events are delivered in between. */
const maxWaiting = 1_000;
const fullPause = 1_000;
const maxAtOnce = 20;

interface Step {
  readonly next: number;
  readonly scanned: number;
  readonly sequences: readonly number[];
}

/** Replays events in bounded steps, each in one commit. After a restart any instance continues with the next step. */
export function createReplays({ store, clock, log, triggers, actor }: Parts) {
  /**
   * Runs one step of each replay. Returns milliseconds until the next step is due. Undefined: all replays have ended.
   */
  async function work(): Promise<number | undefined> {
    const running = await runningReplays(store, { limit: maxAtOnce });
    const pauses = (await Promise.all(running.map(advance))).filter((pause) => pause !== undefined);
    return pauses.length === 0 ? undefined : Math.min(...pauses);
  }

  async function advance(replay: RunningReplay): Promise<number | undefined> {
    const { id, dryRun } = replay;
    if (dryRun === 0 && (await isFull(id))) return fullPause;
    const { next, scanned, sequences } = replay.onlyParked === 1 ? await parkedStep(replay) : await eventStep(replay);
    const now = clock.now();
    const overtaken = new ServiceError('changed-meanwhile', { id });
    const changes = [
      stepIsNext({ id, next: replay.next }, overtaken),
      ...(dryRun === 0 && sequences.length > 0 ? sendAgain({ id, sequences, now }) : []),
      advanceReplay({ id, next, scanned, found: sequences.length, now }),
    ];
    try {
      await store.commit({ changes, events: [], touches: [{ kind: 'notification', id, aspect: 'queue' }] }, actor);
    } catch (error) {
      // Conflict: a second instance took this step.
      if (error !== overtaken) throw error;
    }
    return next < replay.until ? 0 : undefined;
  }

  async function isFull(id: string): Promise<boolean> {
    const [row] = await countWaiting(store, { id, limit: maxWaiting });
    return (row?.count ?? 0) >= maxWaiting;
  }

  async function eventStep({ id, entity, document, since, next, until }: RunningReplay): Promise<Step> {
    const rows = await eventsBetween(store, { first: next, end: until, limit: step });
    const filters = filtersOf(triggers, id, document, log);
    const matched = rows.filter(
      (row) => row.at >= since && (entity === '' || entity === row.entityId) && meant(filters, row),
    );
    return stepOf(rows, matched, until);
  }

  async function parkedStep({ id, since, next, until }: RunningReplay): Promise<Step> {
    const rows = await parkedBetween(store, { id, first: next, end: until, limit: step });
    return stepOf(
      rows,
      rows.filter(({ at }) => at >= since),
      until,
    );
  }

  /** End of the pause of each replay that has enough waiting events. */
  const resting = new Map<string, number>();

  const kind = workKind<ReplayPiece>({
    name: 'replay',
    says: 'Sends events again that a replay asks for',
    hosts: ['loop', 'edge'],
    priority: 20,
    concurrency: maxAtOnce,
    wokenBy: ['notification.replay'],
    due: () => replaysDue,
    async claim(max, now, isHeld) {
      const running = await runningReplays(store, { limit: maxAtOnce });
      for (const id of resting.keys()) if (!running.some((each) => each.id === id)) resting.delete(id);
      const due = running.filter(({ id }) => !isHeld(id) && (resting.get(id) ?? now) <= now);
      return due.slice(0, max).map((replay) => ({ key: replay.id, replay }));
    },
    async do({ replay }, held) {
      // Before the step: one that fails is not tried again at once.
      resting.set(replay.id, clock.now() + fullPause);
      const pause = await advance(replay);
      if (pause === fullPause) return;
      resting.delete(replay.id);
      held.done();
    },
    measure: async () => ({ waiting: (await runningReplays(store, { limit: maxAtOnce })).length }),
  });

  return { work, kind };
}

export type Replays = ReturnType<typeof createReplays>;

interface ReplayPiece extends Piece {
  readonly replay: RunningReplay;
}

interface Numbered {
  readonly sequence: number;
}

const stepOf = (rows: readonly Numbered[], matched: readonly Numbered[], until: number): Step => ({
  next: rows.length < step ? until : rows.at(-1)!.sequence + 1,
  scanned: rows.length,
  sequences: matched.map(({ sequence }) => sequence),
});

type EventRow = Awaited<ReturnType<typeof eventsBetween>>[number];

/** The payload is read only of events that it waits for at all. */
function meant(filters: Filters, row: EventRow): boolean {
  const { name, entityType, entityId } = row;
  if (!filters.has(name)) return false;
  const event: EventRecord = { name, entityType, entityId, payload: JSON.parse(payloadOf(row)) };
  return accepts(filters, event);
}

export interface ReplayRequest {
  readonly id: string;
  readonly since: number;
  /** Only parked events. */
  readonly onlyParked: boolean;
  /** Counted, and not sent. */
  readonly dryRun: boolean;
  readonly user: string;
  readonly now: number;
}

/** Clocks of instances differ by less: an event may be a little older than the one before it. */
const skew = 60_000;

/** Takes the place of the last replay of this notification; one that runs is in the way. */
export async function beginning(store: Store, { onlyParked, dryRun, ...request }: ReplayRequest): Promise<CommitPlan> {
  const { first, end } = await windowSince(store, request.since - skew);
  const flags = { onlyParked: onlyParked ? 1 : 0, dryRun: dryRun ? 1 : 0 };
  return {
    changes: beginReplay({ ...request, ...flags, next: first, until: end }, alreadyRuns(request.id)),
    events: [],
    touches: [{ kind: 'notification', id: request.id, aspect: 'replay' }],
  };
}

function alreadyRuns(id: string): ServiceError {
  const explanation = 'Expected no replay of this notification that still runs: wait for it, or delete it';
  return new ServiceError('already-exists', { type: 'Replay', id, explanation });
}

interface Again {
  readonly id: string;
  readonly lane: string;
  readonly sequence: number;
  readonly now: number;
}

/** A replay ends the pause between attempts: its user wants the events now. */
export function sendOneAgain({ id, lane, sequence, now }: Again): CommitPlan {
  const explanation = 'Expected an event that is still kept (setting eventDays)';
  const gone = new ServiceError('no-such-entity', { type: 'Event', id: String(sequence), explanation });
  return {
    changes: [
      eventThere({ sequence }, gone),
      ...sendAgain({ id, sequences: [sequence], now }),
      wakeLane({ lane, now }),
    ],
    events: [],
    touches: [queueOf(id)],
  };
}
