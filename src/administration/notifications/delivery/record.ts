import { ServiceError } from '../../../core/lib/errors.ts';
import { storable } from '../../../core/lib/storable.ts';
import type { CommitPlan, EventRecord, Statement } from '../../../core/store/contract.ts';
import type { DeliveryResult } from '../actions/order.ts';
import { type AttemptState, attemptOf, logAttempt } from '../attempts/store.ts';
import { notificationEvent } from '../events.ts';
import { disable } from '../health/rules.ts';
import {
  asCalled,
  type Claim,
  countFailure,
  countSuccess,
  deleteDelivery,
  type Head,
  loseDelivery,
  park,
  pauseQueue,
  postponeLane,
  releaseIfIdle,
  stillMine,
  tryAgain,
} from '../outbox-sql.ts';
import type { DeliveryDecision, ReceiverHealth } from './rules.ts';

/** Thrown if another instance owns the lane by now. That instance decides about the event. */
export const laneLost = new ServiceError('busy', { explanation: 'Expected the lane to be held: somebody else has it' });

/** Thrown if the notification has changed since the call: another receiver, a pause, or a deletion. */
export const changedSince = new ServiceError('busy', { explanation: 'Expected the notification as it was called' });

/** Attempt, from the call to the decision about its event. */
export interface Attempted {
  readonly claim: Claim;
  readonly head: Head;
  readonly event: string;
  readonly outcome: DeliveryResult;
  readonly decision: DeliveryDecision;
  readonly started: number;
  readonly ended: number;
  /** Set if the notification has changed since the call: the attempt does not count against it. */
  readonly outdated?: true;
}

/** Decision after a change of the notification: the event is retried with the new one. */
export function outdated(attempted: Attempted): Attempted {
  const decision = { step: 'again', until: attempted.ended, health: { state: 'spared' } } as const;
  return { ...attempted, decision, outdated: true };
}

export interface RecordSettings {
  readonly maxParked: number;
  readonly deliveryAnswerBytes: number;
}

export const states: Readonly<Record<DeliveryDecision['step'], AttemptState>> = {
  deliver: 'delivered',
  again: 'failed',
  park: 'parked',
  drop: 'dropped',
};

/** Commit for the outcome of an attempt. Changes nothing if the lane was lost. Returns a row if it released the lane. */
export function workOf(attempted: Attempted, settings: RecordSettings): CommitPlan {
  const { claim, head, outcome, decision, ended: now } = attempted;
  const { notificationId, sequence } = head;
  const row = { notificationId, sequence };
  const rows = [sequence, ...(outcome.also ?? [])].map((each) => ({ notificationId, sequence: each }));
  const changes: Statement[] = [stillMine(claim, laneLost)];
  const events: EventRecord[] = [];
  if (decision.step === 'deliver') {
    changes.push(...rows.map((each) => deleteDelivery(each)), countSuccess({ notificationId, now }));
    if (decision.recovered)
      events.push(notificationEvent('notification/recovered', notificationId, { notificationId }));
  } else if (decision.step === 'drop') changes.push(...rows.flatMap(loseDelivery));
  else {
    const { health } = decision;
    const { version, deletedAt } = head;
    if (!attempted.outdated) changes.push(asCalled({ notificationId, version, deletedAt }, changedSince));
    if (health.state !== 'spared') changes.push(countFailure({ notificationId, now }));
    if (decision.step === 'again') {
      changes.push(tryAgain({ ...row, attempts: head.attempts + 1, now }));
      if (health.state !== 'paused') changes.push(postponeLane({ ...claim, until: decision.until }));
    } else {
      const { reason } = decision;
      const how = { attempts: attemptNumber(head), reason, now, max: settings.maxParked };
      changes.push(...rows.flatMap((each) => park({ ...each, ...how })));
      const parked = head.parked + 1;
      if (isRound(parked)) {
        events.push(
          notificationEvent('notification/parked', notificationId, { notificationId, reason: saidOf(outcome), parked }),
        );
      }
    }
    const { pause, event } = consequence(health, attempted);
    changes.push(...pause);
    events.push(...event);
  }
  const { event, started } = attempted;
  const attempt = { ...row, event, entityId: head.entityId, number: attemptNumber(head), started, ended: now };
  const state = states[decision.step];
  changes.push(logAttempt(attemptOf({ ...attempt, state }, outcome, settings.deliveryAnswerBytes)));
  if (decision.step === 'deliver') changes.push(...releaseIfIdle(claim));
  return { changes, events };
}

/** Whether the count is a power of ten: only those send an event, as a reminder without a flood. */
const isRound = (count: number): boolean => /^10*$/.test(String(count));

const nothing = { pause: [], event: [] };

function consequence(health: ReceiverHealth, { head, outcome, ended: now }: Attempted) {
  const { notificationId } = head;
  const failures = head.failures + 1;
  const reason = saidOf(outcome);
  if (health.state === 'disabled') {
    return {
      pause: disable({ id: notificationId }, reason, now).changes,
      event: [notificationEvent('notification/disabled', notificationId, { notificationId, reason, failures })],
    };
  }
  if (health.state !== 'paused') return nothing;
  const { until: resumeAt, pauses } = health;
  return {
    pause: pauseQueue({ notificationId, state: 'paused', reason, now, resumeAt, pauses }),
    event: [
      notificationEvent('notification/paused', notificationId, { notificationId, reason, failures, until: resumeAt }),
    ],
  };
}

/** Number of the current attempt, including those before a replay. */
export const attemptNumber = ({ earlier, attempts }: Head): number => earlier + attempts + 1;

/**
 * Error text for the attempt. For a blocked address the address is hidden, since more users read attempts than may
 * choose receivers.
 */
function saidOf({ verdict, error = 'unknown', says = error }: DeliveryResult): string {
  return storable(verdict === 'blocked' ? says.split(':', 1)[0]! : says);
}
