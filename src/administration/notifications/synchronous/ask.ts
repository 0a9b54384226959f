import type { Clock } from '../../../core/lib/clock.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import { type Random, randomText } from '../../../core/lib/random.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Actor, type EventRecord, type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import type { DeliveryResult } from '../actions/order.ts';
import type { Perform } from '../actions/perform.ts';
import { type AttemptState, attemptOf, logAttempt } from '../attempts/store.ts';
import type { DeliveredEvent } from '../body.ts';
import type { Closed, Opened } from '../delivery/open.ts';
import { deliveryOrder, type Telling } from '../delivery/open.ts';
import { backoff, type Patience } from '../delivery/rules.ts';
import { actionOf } from '../documents/notification.ts';
import { countFailure, countSuccess } from '../outbox-sql.ts';
import type { SynchronousRow } from './store.ts';

interface AskParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly telling: Telling;
  readonly patience: Pick<Patience, 'pauseFirst' | 'pauseMost'>;
  /** Limit for the stored bytes of an answer. */
  readonly answerBytes: number;
  open(closed: Closed): Promise<Opened>;
  readonly perform: Perform;
}

/** Question to a receiver about a change, with its time limit. */
interface Question {
  readonly row: SynchronousRow;
  readonly event: EventRecord;
  readonly actor: Actor;
  readonly end: number;
}

/** Asks one receiver during a change: retries follow at once, and end with the time limit. */
export function createAsk(parts: AskParts) {
  const { store, clock, random, log, patience } = parts;

  return async ({ row, event, actor, end }: Question): Promise<DeliveryResult> => {
    const id = `${row.notificationId}_${randomText(random, 22)}`;
    const rows: Statement[] = [];
    const at = clock.now();
    let outcome: DeliveryResult = { verdict: 'again', error: 'timeout' };
    for (let number = 1; clock.now() < end; number++) {
      const started = clock.now();
      let retry = 0;
      try {
        const { sent, keys } = await parts.open(row);
        retry = sent.action[actionOf(sent).kind]?.retry ?? 0;
        const { notificationId } = row;
        const { user, runAs, depth = 0, requestId = id } = actor;
        const happened = { ...event, user, runAs, at } as unknown as DeliveredEvent;
        const identity = { notificationId, id, number, depth, cause: requestId, within: end - started };
        // Never aborted: only the time limit ends the call, since the caller waits for the outcome.
        const { signal } = new AbortController();
        outcome = await parts.perform(deliveryOrder(happened, { sent, keys }, identity, parts.telling), signal);
      } catch (error) {
        log.write('error', 'delivery-not-made', { notification: row.notificationId, ...describeError(error) });
        outcome = { verdict: 'again', error: 'internal', localFault: true };
      }
      const { name, entityId } = event;
      const begun = { notificationId: row.notificationId, sequence: null, event: name, entityId, number, started };
      const ended = { ended: clock.now(), state: states[outcome.verdict] };
      rows.push(logAttempt(attemptOf({ ...begun, ...ended }, outcome, parts.answerBytes)));
      if (outcome.verdict !== 'again' || number > retry) break;
      const pause =
        outcome.after ?? backoff(patience.pauseFirst, patience.pauseMost, number, random.bytes(1)[0]! / 256);
      if (clock.now() + pause >= end) break;
      await clock.sleep(pause);
    }
    await keep(row, rows, outcome);
    return outcome;
  };

  /** Saves the attempt in a commit of its own, because a veto prevents the commit of the change. */
  async function keep(
    { notificationId }: SynchronousRow,
    rows: readonly Statement[],
    told: DeliveryResult,
  ): Promise<void> {
    const now = clock.now();
    const counts = told.verdict === 'delivered' ? countSuccess : countFailure;
    const counted = told.localFault === true ? [] : [counts({ notificationId, now })];
    try {
      await store.commit(changing(...counted, ...rows), systemActor);
    } catch (error) {
      log.write('warn', 'delivery-not-logged', { notification: notificationId, ...describeError(error) });
    }
  }
}

const states: Readonly<Record<DeliveryResult['verdict'], AttemptState>> = {
  delivered: 'delivered',
  again: 'failed',
  refused: 'vetoed',
  gone: 'vetoed',
  blocked: 'failed',
};
