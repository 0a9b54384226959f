import { ServiceError } from '../../lib/errors.ts';
import type { EventRecord, Statement, Work } from '../../store/contract.ts';
import type { DeliveryResult } from '../actions/delivery-result.ts';
import { attemptOf, storable } from '../attempts/row-of.ts';
import { type AttemptState, logAttempt } from '../attempts/store.ts';
import { happened } from '../events.ts';
import { disable } from '../health/rules.ts';
import {
  asCalled,
  type Claim,
  countFailure,
  countSuccess,
  deliver,
  drop,
  type Head,
  park,
  pauseQueue,
  postponeLane,
  stillMine,
  tryAgain,
} from '../outbox/store.ts';
import type { Decision, Health } from './rules.ts';

/** Somebody else has the lane by now, and with it the decision. */
export const laneLost = new ServiceError('busy', { explanation: 'Expected the lane to be held: somebody else has it' });

/** What was called is not what there is now: another receiver, a pause, a deletion. */
export const changedSince = new ServiceError('busy', { explanation: 'Expected the notification as it was called' });

/** One attempt, from the call to what is done about it. */
export interface Attempted {
  readonly claim: Claim;
  readonly head: Head;
  readonly event: string;
  readonly told: DeliveryResult;
  readonly decision: Decision;
  readonly started: number;
  readonly ended: number;
  /** The notification is no longer what was called: nothing is charged to it. */
  readonly outdated?: true;
}

/** The same where that has changed: whatever it is now decides about the event. */
export function outdated(attempted: Attempted): Attempted {
  const decision = { step: 'again', until: attempted.ended, health: { state: 'spared' } } as const;
  return { ...attempted, decision, outdated: true };
}

export interface RecordSettings {
  readonly maxParked: number;
  readonly deliveryAnswerBytes: number;
}

export const states: Readonly<Record<Decision['step'], AttemptState>> = {
  deliver: 'delivered',
  again: 'failed',
  park: 'parked',
  drop: 'dropped',
};

/** What came of an attempt, as one commit that changes nothing where the lane was lost. */
export function workOf(attempted: Attempted, settings: RecordSettings): Work {
  const { claim, head, told, decision, ended: now } = attempted;
  const { notificationId, sequence } = head;
  const row = { notificationId, sequence };
  const changes: Statement[] = [stillMine(claim, laneLost)];
  const events: EventRecord[] = [];
  if (decision.step === 'deliver') {
    changes.push(deliver(row), countSuccess({ notificationId, now }));
    if (decision.recovered) events.push(happened('notification/recovered', notificationId, { notificationId }));
  } else if (decision.step === 'drop') changes.push(...drop(row));
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
      changes.push(...park({ ...row, attempts: numberOf(head), reason, now, most: settings.maxParked }));
      const parked = head.parked + 1;
      if (isRound(parked)) {
        events.push(happened('notification/parked', notificationId, { notificationId, reason: saidOf(told), parked }));
      }
    }
    const { pause, event } = consequence(health, attempted);
    changes.push(...pause);
    events.push(...event);
  }
  const { event, started } = attempted;
  const attempt = { ...row, event, entityId: head.entityId, number: numberOf(head), started, ended: now };
  const state = states[decision.step];
  changes.push(logAttempt(attemptOf({ ...attempt, state }, told, settings.deliveryAnswerBytes)));
  return { changes, events };
}

/** An event tells of the first parked event, the tenth, the hundredth: operators are reminded, not flooded. */
const isRound = (count: number): boolean => /^10*$/.test(String(count));

const nothing = { pause: [], event: [] };

function consequence(health: Health, { head, told, ended: now }: Attempted) {
  const { notificationId } = head;
  const failures = head.failures + 1;
  const reason = saidOf(told);
  if (health.state === 'disabled') {
    return {
      pause: disable({ id: notificationId }, reason, now).changes,
      event: [happened('notification/disabled', notificationId, { notificationId, reason, failures })],
    };
  }
  if (health.state !== 'paused') return nothing;
  const { until: resumeAt, pauses } = health;
  return {
    pause: pauseQueue({ notificationId, state: 'paused', reason, now, resumeAt, pauses }),
    event: [happened('notification/paused', notificationId, { notificationId, reason, failures, until: resumeAt })],
  };
}

/** Of the attempt that is made: those before a replay count, too. */
export const numberOf = ({ earlier, attempts }: Head): number => earlier + attempts + 1;

/** Of an address that may not be called, not which one that is: more people hear of it than may choose receivers. */
function saidOf({ verdict, error = 'unknown', says = error }: DeliveryResult): string {
  return storable(verdict === 'blocked' ? says.split(':', 1)[0]! : says);
}
