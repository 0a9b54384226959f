import type { Triggers } from '../../../core/events/event-kinds.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { storable } from '../../../core/lib/storable.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { readStored } from '../documents/notification.ts';
import { activateQueue, pauseQueue, queueOf } from '../outbox-sql.ts';
import { rowsOf } from '../registration/rules.ts';
import { type NotificationRow, subscribe, unchanged, unsubscribe } from '../registration/store.ts';

const maxReasonLength = 255;

/** Pauses a notification until it is resumed by a request. Matching events wait. */
export function pause({ id, state }: NotificationRow, reason: string, now: number): CommitPlan {
  if (state === 'disabled') throw isDisabled(id);
  const pauses = { notificationId: id, state: 'paused', reason: storable(reason, maxReasonLength), now } as const;
  return { changes: pauseQueue({ ...pauses, resumeAt: null, pauses: 0 }), events: [] };
}

/** Nothing more is matched; what waits stays where it is until it is too old. */
export function disable({ id }: Pick<NotificationRow, 'id'>, reason: string, now: number): CommitPlan {
  const how = { notificationId: id, state: 'disabled', reason: storable(reason, maxReasonLength), now } as const;
  return changing(...unsubscribe(id), ...pauseQueue({ ...how, resumeAt: null, pauses: 0 }));
}

/** Ends a pause, and takes up again one that was disabled: it matches from now on. */
export function resume(triggers: Triggers, row: NotificationRow, now: number): CommitPlan {
  const { id, version, state, document } = row;
  const again = state === 'disabled' ? subscribe(id, rowsOf(triggers, readStored(document), id)) : [];
  return {
    changes: [
      unchanged(id, version, changedMeanwhile('Notification', id)),
      ...again,
      ...activateQueue({ notificationId: id, now }),
    ],
    events: [],
    touches: [queueOf(id)],
  };
}

function isDisabled(id: string): ServiceError {
  const explanation = 'Expected a notification that is not disabled: it is delivered to nobody anyway';
  return new ServiceError('not-allowed', { type: 'Notification', id, explanation });
}
