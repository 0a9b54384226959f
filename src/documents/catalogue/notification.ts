import { document, element, structure, type Value } from '../describe.ts';
import { notificationAction } from './notification-action.ts';
import { notificationTrigger } from './notification-trigger.ts';

export const notificationDocument = document('NotificationDocument', {
  action: element(notificationAction).required,
  trigger: element(notificationTrigger).required,
});
export type Notification = Value<typeof notificationDocument>;

/** Under /notification a placeholder may be created that names its action only. */
export const placeholderNotificationDocument = document(
  'NotificationDocument',
  structure('PlaceholderNotificationType', {
    action: element(notificationAction).required,
    trigger: element(notificationTrigger),
  }),
);
export type PlaceholderNotification = Value<typeof placeholderNotificationDocument>;
