import { ServiceError } from '../../../core/lib/errors.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { queueOf, wakeLane } from '../outbox/store.ts';
import { eventThere, sendAgain } from './store.ts';

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
