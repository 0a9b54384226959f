import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Store } from '../../../core/store/store.ts';
import type { DeliveryResult } from '../actions/order.ts';
import type { Foreseen } from '../matching/participant.ts';
import type { createAsk } from './ask.ts';
import { findSynchronous, type SynchronousRow } from './store.ts';

interface BeforeParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly ask: ReturnType<typeof createAsk>;
  /** Whether whose notification it is may still read the entity that it is about. */
  mayTell(row: SynchronousRow): Promise<boolean>;
  /** Milliseconds for all of them together. */
  readonly within: number;
}

/**
 * Asks the synchronous notifications about a change before its commit, one after the other. The first refusal ends the
 * change, and so does a receiver that does not answer. Returns the notifications that were not asked: deliveries tell
 * them after the commit, like all others.
 */
export function createBefore({ store, clock, log, ask, mayTell, within }: BeforeParts) {
  return async (foreseen: readonly Foreseen[]): Promise<readonly Foreseen[]> => {
    const end = clock.now() + within;
    const later: Foreseen[] = [];
    for (const each of foreseen) {
      const { event, notificationId, actor } = each;
      const [row] = await findSynchronous(store, { id: notificationId });
      // Deleted meanwhile: the commit leaves it out.
      if (row === undefined) continue;
      // Switched off deliberately, or not permitted: a delivery after the commit parks it with the reason.
      if (row.state !== 'active' || !(await mayTell(row))) {
        later.push(each);
        continue;
      }
      const outcome = await ask({ row, event, actor, end });
      if (outcome.verdict === 'delivered') continue;
      const { verdict, error, status } = outcome;
      log.write('info', 'synchronous', { notification: notificationId, event: event.name, verdict, error, status });
      throw refusalOf(notificationId, outcome);
    }
    return later;
  };
}

function refusalOf(id: string, { verdict, text, error, status }: DeliveryResult): ServiceError {
  const detail = { type: 'Notification', id } as const;
  if (verdict === 'refused' || verdict === 'gone') {
    const said = cleaned(text);
    const explanation = `Refused by the receiver of the notification ${id}${said === '' ? '' : `: ${said}`}`;
    return new ServiceError('vetoed', { ...detail, explanation });
  }
  const explanation = `Expected an answer from the receiver of the notification ${id}, which is asked before the change: ${error}${status === undefined ? '' : ` ${status}`}`;
  return new ServiceError('receiver-unavailable', { ...detail, explanation }, { 'Retry-After': '5' });
}

const maxLength = 500;

/** Shortens a receiver's text to one line of limited length. */
function cleaned(text = ''): string {
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`;
}
