import { careful, document, element, structure, type Value } from '../../../core/documents/describe.ts';
import { notificationAction } from './notification-action.ts';
import { notificationTrigger } from './notification-trigger.ts';

export const notificationDocument = careful(
  document('NotificationDocument', {
    action: element(notificationAction).required,
    // A criterion that is passed over would widen what fires.
    trigger: element(notificationTrigger).required.strict,
  }),
);
export type Notification = Value<typeof notificationDocument>;

/** Placeholder at /notification, which only needs an action. */
export const placeholderNotificationDocument = careful(
  document(
    'NotificationDocument',
    structure('PlaceholderNotificationType', {
      action: element(notificationAction).required,
      trigger: element(notificationTrigger).strict,
    }),
  ),
);
export type PlaceholderNotification = Value<typeof placeholderNotificationDocument>;

/** Stored document: unknown parts of another version of this service are ignored. */
export const storedNotificationDocument = document(
  'NotificationDocument',
  structure('StoredNotificationType', {
    action: element(notificationAction).required,
    trigger: element(notificationTrigger),
  }),
);
