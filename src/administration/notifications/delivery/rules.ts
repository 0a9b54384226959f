import type { DeliveryResult } from '../actions/order.ts';

/** Limits for retries and pauses. Times are milliseconds. */
export interface Patience {
  /** Attempts after the first one, where the notification does not say. */
  readonly retries: number;
  /** Default time for which an event is retried at least, whatever the number of attempts. */
  readonly retryFor: number;
  /** An event that fails for longer than that while others get through is parked. */
  readonly aloneFor: number;
  readonly pauseFirst: number;
  readonly pauseMost: number;
  /** An event that is in the way of others for longer than that is parked. */
  readonly blockedFor: number;
  /** Failures in a row until a notification is left alone for a while. */
  readonly restAfter: number;
  readonly restFirst: number;
  readonly restMost: number;
  /** A notification that has only failed for this long is disabled. 0: never. */
  readonly disableAfter: number;
}

/** An event at the head of its lane, and how the notification has done so far. */
export interface Standing {
  /** Delivery attempts since the last replay. */
  readonly attempts: number;
  /** Since when this event fails. */
  readonly failingSince: number | null;
  /**
   * Whether the notification was deleted: earlier events are still delivered, but failed ones are dropped instead of
   * parked.
   */
  readonly deleted: boolean;
  readonly retry: number | undefined;
  /**
   * Whether the notification is synchronous. Those are never paused automatically: failing would be a way around a
   * veto.
   */
  readonly synchronous: boolean;
  /** Consecutive failed attempts of the notification. */
  readonly failures: number;
  readonly failingAllSince: number | null;
  /** Consecutive pauses that ended in another failed attempt. */
  readonly pauses: number;
}

export type DeliveryDecision =
  | { readonly step: 'deliver'; readonly recovered: boolean }
  | { readonly step: 'again'; readonly until: number; readonly health: ReceiverHealth }
  | {
      readonly step: 'park';
      readonly reason: 'attempts' | 'blocked' | 'refused' | 'disabled';
      readonly health: ReceiverHealth;
    }
  | { readonly step: 'drop' };

/** Effect of a failure on the notification. */
export type ReceiverHealth =
  /** The receiver is not to blame. */
  | { readonly state: 'spared' }
  | { readonly state: 'failing' }
  | { readonly state: 'paused'; readonly until: number; readonly pauses: number }
  | { readonly state: 'disabled' };

/** Random number from 0 up to 1. Spreads retries of notifications that failed together. */
type Chance = () => number;

export function decide(
  outcome: DeliveryResult,
  standing: Standing,
  patience: Patience,
  now: number,
  chance: Chance,
): DeliveryDecision {
  if (outcome.verdict === 'delivered') return { step: 'deliver', recovered: standing.pauses > 0 };
  if (standing.deleted) return decideForDeleted(outcome, standing, patience, now, chance);
  const health = healthAfter(outcome, standing, patience, now, chance);
  if (outcome.verdict === 'gone')
    return { step: 'park', reason: standing.synchronous ? 'refused' : 'disabled', health };
  if (outcome.verdict !== 'again') return { step: 'park', reason: outcome.verdict, health };
  const tries = standing.attempts + 1;
  const failingFor = now - (standing.failingSince ?? now);
  const used = !outcome.localFault && isUsedUp(tries, failingFor, standing.retry, patience);
  // Several events in a row have failed, so the receiver is to blame: the next events wait.
  const outage = health.state === 'paused' && standing.failures + 1 > tries;
  // A success of another event began the count of the notification again.
  const alone = !outcome.localFault && standing.failures + 1 < tries && failingFor >= patience.aloneFor;
  if ((used && !outage) || alone || failingFor >= patience.blockedFor) {
    return { step: 'park', reason: 'attempts', health };
  }
  return { step: 'again', until: now + pauseBefore(tries, outcome, failingFor, patience, chance), health };
}

/**
 * Whether the retries are used up. A notification with `retry` counts attempts; for the others the time counts, too.
 */
function isUsedUp(tries: number, failingFor: number, retry: number | undefined, patience: Patience): boolean {
  if (retry !== undefined) return tries > retry;
  return tries > patience.retries && failingFor >= patience.retryFor;
}

/** Decision for a deleted notification: usual retries, until one event has failed. The others get one attempt each. */
function decideForDeleted(
  outcome: DeliveryResult,
  standing: Standing,
  patience: Patience,
  now: number,
  chance: Chance,
): DeliveryDecision {
  const { attempts, failures, retry = patience.retries } = standing;
  const failingFor = now - (standing.failingSince ?? now);
  const isOver = attempts >= retry || failures > attempts || failingFor >= patience.blockedFor;
  if (outcome.verdict !== 'again' || isOver) return { step: 'drop' };
  const until = now + pauseBefore(attempts + 1, outcome, failingFor, patience, chance);
  return { step: 'again', until, health: { state: 'failing' } };
}

/** However long a receiver wants to be left alone: those behind it in the lane are others'. */
function pauseBefore(
  tries: number,
  outcome: DeliveryResult,
  failingFor: number,
  patience: Patience,
  chance: Chance,
): number {
  const { pauseFirst, pauseMost, blockedFor } = patience;
  const pause = outcome.after ?? backoff(pauseFirst, pauseMost, tries, chance());
  return Math.min(pause, Math.max(pauseFirst, blockedFor - failingFor));
}

function healthAfter(
  outcome: DeliveryResult,
  standing: Standing,
  patience: Patience,
  now: number,
  chance: Chance,
): ReceiverHealth {
  if (outcome.localFault || outcome.verdict === 'blocked') return { state: 'spared' };
  if (standing.synchronous) return { state: 'failing' };
  if (outcome.verdict === 'gone') return { state: 'disabled' };
  const { failures, failingAllSince, pauses } = standing;
  const { restAfter, restFirst, restMost, disableAfter } = patience;
  const often = failures + 1 >= restAfter;
  const failingFor = now - (failingAllSince ?? now);
  if (often && disableAfter > 0 && failingFor >= disableAfter) return { state: 'disabled' };
  // A receiver that refuses one event may accept the next one.
  if (outcome.verdict !== 'again' || !(often || pauses > 0)) return { state: 'failing' };
  const rest = backoff(restFirst, restMost, pauses + 1, chance());
  return { state: 'paused', until: now + Math.max(rest, outcome.after ?? 0), pauses: pauses + 1 };
}

/** Doubles with each turn up to the most, a fifth more or less. */
export function backoff(first: number, max: number, turn: number, chance: number): number {
  const pause = Math.min(max, first * 2 ** Math.min(turn - 1, 40));
  return Math.round(pause * (0.8 + 0.4 * chance));
}
