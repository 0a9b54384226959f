import { payloadOf } from '../../../assets/metadata/public-reading.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import type { Random } from '../../../core/lib/random.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import type { PieceContext } from '../../../core/work/work-kind.ts';
import type { DeliveryResult } from '../actions/order.ts';
import type { Perform } from '../actions/perform.ts';
import { noAction } from '../actions/plugin-action.ts';
import type { DeliveredEvent } from '../body.ts';
import { actionOf } from '../documents/notification.ts';
import { mailResource } from '../mail/kinds.ts';
import type { TellPerson } from '../mail/people.ts';
import { type Claim, type Head, releaseLane } from '../outbox-sql.ts';
import type { Closed, Opened } from './open.ts';
import { deliveryOrder, type Telling } from './open.ts';
import {
  type Attempted,
  attemptNumber,
  changedSince,
  laneLost,
  outdated,
  type RecordSettings,
  states,
  workOf,
} from './record.ts';
import { type DeliveryDecision, decide, type Patience } from './rules.ts';

export interface LaneParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly telling: Telling;
  readonly patience: Patience;
  readonly settings: RecordSettings;
  open(closed: Closed): Promise<Opened>;
  readonly perform: Perform;
  /** Whether whose notification it is may still read the entity that it is about. */
  mayTell(head: Pick<Head, 'resource' | 'entity' | 'createdBy'>): Promise<boolean>;
  /** Tells a user of the events that are due. */
  readonly tellPerson: TellPerson;
  /** Called for every recorded attempt. */
  count(step: DeliveryDecision['step'], outcome: DeliveryResult, milliseconds: number): void;
}

/** Lane owned by this instance, until its signal aborts. */
interface OwnedLane extends PieceContext {
  readonly claim: Claim;
  /** Next event of the lane, once the last attempt is saved. */
  nextHead(): Promise<Head | undefined>;
}

/** Decision that was stored, and whether its commit released the lane. */
interface Recorded {
  readonly decision: DeliveryDecision;
  readonly isReleased: boolean;
}

export type Lane = (held: OwnedLane, first: Head | undefined) => Promise<void>;

/** Delivers the events of a lane in order, then releases it. Throws if the lane was lost. */
export function createLane(parts: LaneParts): Lane {
  const { store, clock, random, log, patience, settings } = parts;

  async function attempt(
    head: Head,
    signal: AbortSignal,
  ): Promise<{ outcome: DeliveryResult; retry: number | undefined }> {
    try {
      if (head.resource === mailResource) return { outcome: await parts.tellPerson(head, signal), retry: undefined };
      if (!(await parts.mayTell(head))) return { outcome: unreadable(head), retry: undefined };
      const opened = await parts.open(head);
      const { notificationId, sequence, depth, requestId, name } = head;
      const cause = requestId ?? `event ${sequence}`;
      const id = `${notificationId}_${sequence}`;
      const identity = { notificationId, id, number: attemptNumber(head), depth, cause, trial: isTrial(name) };
      const outcome = await parts.perform(deliveryOrder(eventOf(head), opened, identity, parts.telling), signal);
      return { outcome, retry: opened.sent.action[actionOf(opened.sent).kind]?.retry };
    } catch (error) {
      signal.throwIfAborted();
      // Nothing that is wrong with one event may stop those behind it for ever.
      log.write('error', 'delivery-not-made', { notification: head.notificationId, ...describeError(error) });
      const outcome = {
        verdict: 'again',
        error: 'internal',
        says: 'It could not be made: see the log',
        localFault: true,
      } as const;
      return { outcome, retry: undefined };
    }
  }

  async function next(head: Head, { claim, signal, done, failed }: OwnedLane): Promise<Recorded> {
    const started = clock.now();
    const { outcome, retry } = await attempt(head, signal);
    const ended = clock.now();
    const standing = { ...head, deleted: head.deletedAt !== null, synchronous: head.synchronous === 1, retry };
    const decision = decide(outcome, standing, patience, ended, () => random.bytes(1)[0]! / 256);
    const attempted = { claim, head, event: eventOf(head).name, outcome, decision, started, ended };
    const recorded = await record(attempted);
    const { step } = recorded.decision;
    parts.count(step, outcome, ended - started);
    if (step === 'deliver') done();
    else failed(`${head.notificationId}: ${outcome.error ?? 'unknown'} ${outcome.status ?? ''}`.trimEnd());
    tell(head, outcome, recorded.decision);
    return recorded;
  }

  async function record(attempted: Attempted): Promise<Recorded> {
    const actor = { ...systemActor, depth: attempted.head.depth + 1 };
    try {
      const [released = []] = await store.commit(workOf(attempted, settings), actor);
      return { decision: attempted.decision, isReleased: released.length > 0 };
    } catch (error) {
      if (error !== changedSince) throw error;
      const late = outdated(attempted);
      await store.commit(workOf(late, settings), actor);
      return { decision: late.decision, isReleased: false };
    }
  }

  function tell(
    { notificationId: notification, sequence }: Head,
    outcome: DeliveryResult,
    decision: DeliveryDecision,
  ): void {
    const { status, error, says } = outcome;
    const isUrgent = decision.step !== 'again' || error === noAction;
    const level = decision.step === 'deliver' ? 'debug' : isUrgent ? 'warn' : 'info';
    log.write(level, 'delivery', { notification, sequence, state: states[decision.step], status, error, says });
    if (!('health' in decision)) return;
    const { state } = decision.health;
    if (state === 'paused' || state === 'disabled') log.write('warn', `notification-${state}`, { notification, says });
  }

  return async (held, first) => {
    const { claim, signal } = held;
    for (let head = first; head !== undefined; head = await held.nextHead()) {
      // An instance that stops releases the lane unchanged: it sent nothing yet, or the outcome is unknown.
      if (signal.aborted || !held.mayGoOn()) break;
      let recorded: Recorded;
      try {
        recorded = await next(head, held);
      } catch (error) {
        if (error === laneLost || signal.reason === laneLost || !signal.aborted) throw error;
        break;
      }
      const { decision, isReleased } = recorded;
      if (isReleased) return;
      if (decision.step === 'again' && decision.health.state !== 'paused') return;
    }
    if (signal.reason === laneLost) throw laneLost;
    await store.commit({ changes: releaseLane({ ...claim, now: clock.now() }), events: [] }, systemActor);
  };
}

/** Result for a user who may not read the entity any more. The receiver is not to blame. */
const unreadable = ({ createdBy, resource, entity }: Head): DeliveryResult => ({
  verdict: 'blocked',
  error: 'unreadable',
  says: `Expected a user who may read the ${resource.slice(1)} ${entity}: ${createdBy} may not any more`,
});

const isTrial = (name: string): boolean => name === 'notification/test';

/** The event to deliver. A trial contains its sample event. */
function eventOf(head: Head): DeliveredEvent {
  const { name, entityType, entityId, happenedAt: at, user, runAs } = head;
  const content = JSON.parse(payloadOf(head));
  const event = isTrial(name) ? { name: content.event, payload: content.payload } : { name, payload: content };
  return { ...event, entityType, entityId, at, user, runAs: runAs ?? undefined };
}
