import { writeJson } from '../../../core/documents/index.ts';
import type { Triggers } from '../../../core/events/event-kinds.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import {
  actionOf,
  notificationDocument,
  type PlaceholderNotification,
  placeholderNotificationDocument,
} from '../documents/notification.ts';
import { queueOf, resetFailures, wakeAbandonedLane, wakeLane } from '../outbox-sql.ts';
import { saidBySelectors, subscriptionsOf } from '../trigger/subscriptions.ts';
import {
  buryAll,
  changeNotification,
  createNotification,
  type NotificationRow,
  type NotificationScope,
  roomForOne,
  type SubscriptionRow,
  unchanged,
} from './store.ts';

/** Document without its secret, and the encrypted secret, if there was one. */
interface ReceivedNotification {
  /** The notification with masked secrets. */
  readonly notification: PlaceholderNotification;
  readonly sealed: string | null;
  readonly lane: string;
}

interface NewNotification extends ReceivedNotification {
  readonly id: string;
  readonly scope: NotificationScope;
  readonly user: string;
  readonly now: number;
  readonly max: number;
}

export function create(triggers: Triggers, { id, scope, user, now, max, ...sent }: NewNotification): CommitPlan {
  const full = new ServiceError('not-allowed', {
    id: scope.resource,
    explanation: `Expected at most ${max} notifications`,
  });
  const subscriptions = rowsOf(triggers, sent.notification, id);
  return {
    changes: [
      roomForOne({ max }, full),
      ...createNotification({ ...stored(id, sent, now), ...scope, user }, subscriptions),
      wakeAbandonedLane({ lane: sent.lane, now }),
    ],
    events: [],
    touches: [queueOf(id)],
  };
}

/** Changes a notification. A disabled one stays disabled. */
export function change(triggers: Triggers, row: NotificationRow, sent: ReceivedNotification, now: number): CommitPlan {
  const { id, version, state } = row;
  const subscriptions = state === 'disabled' ? undefined : rowsOf(triggers, sent.notification, id);
  return {
    changes: [
      unchanged(id, version, changedMeanwhile('Notification', id)),
      ...changeNotification(stored(id, sent, now), subscriptions),
      // A changed address ends the pause: failures of the old address say nothing about the new one.
      ...resetFailures({ notificationId: id, now }),
      // Notifications in the old lane may have waited for this one.
      ...(sent.lane === row.lane ? [] : [wakeLane({ lane: row.lane, now })]),
    ],
    events: [],
    touches: [queueOf(id)],
  };
}

export const removeAllNotifications = (ids: readonly string[], now: number): CommitPlan => ({
  changes: buryAll({ ids, now }),
  events: [],
  touches: ids.map(queueOf),
});

/**
 * Subscription rows, one for each event and selector. Synchronous notifications are never exact, so their receivers are
 * asked before the commit.
 */
export function rowsOf(triggers: Triggers, notification: PlaceholderNotification, id: string): SubscriptionRow[] {
  const synchronous = isSynchronous(notification);
  return subscriptionsOf(triggers, notification, id).flatMap(({ event, selectors, filter }) => {
    const exact = !synchronous && saidBySelectors(filter) ? 1 : 0;
    return selectors.map((selector) => [event, selector, exact] as const);
  });
}

const isSynchronous = (notification: PlaceholderNotification): boolean =>
  notification.action[actionOf(notification).kind]?.synchronous === true;

function stored(id: string, { notification, sealed, lane }: ReceivedNotification, now: number) {
  const synchronous = isSynchronous(notification) ? 1 : 0;
  return { id, document: writeJson(placeholderNotificationDocument, notification), sealed, synchronous, lane, now };
}

/** Document type for requests to this resource. */
export const documentAt = (resource: string) =>
  resource === '/notification' ? placeholderNotificationDocument : notificationDocument;

export const noSuchNotification = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Notification', id: id.slice(0, 80) });
