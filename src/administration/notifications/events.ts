import { about, emitterOf, event, firing } from '../../core/events/event-kinds.ts';

/** Why a notification is left alone, and how often in a row it had failed. */
type NotificationTrouble = {
  readonly notificationId: string;
  readonly reason: string;
  readonly failures: number;
};

const tells = ['notificationId', 'reason', 'failures'] as const;
const ofNotification = (word: string) =>
  ({ resource: '/notification', says: about('notification', word), fact: true }) as const;

const trouble = {
  notificationId: 'VX-40',
  reason: 'Expected a status from 200 to 299: "503"',
  failures: 10,
};

type Paused = NotificationTrouble & { readonly until: number };
type Parked = { readonly notificationId: string; readonly reason: string; readonly parked: number };

export const notificationEvents = {
  /**
   * The receiver failed repeatedly, so deliveries wait until the given time. Sent before a notification is disabled.
   */
  'notification/paused': firing<Paused>(
    { ...ofNotification('PAUSED'), tells: [...tells, { key: 'until', time: 'until' }] },
    { ...trouble, until: Date.UTC(2024, 2, 5, 10, 32) },
  ),
  'notification/disabled': firing<NotificationTrouble>({ ...ofNotification('DISABLED'), tells }, trouble),
  /** A delivery succeeded after a pause. */
  'notification/recovered': firing<{ readonly notificationId: string }>(
    { ...ofNotification('RECOVERED'), tells: ['notificationId'] },
    { notificationId: 'VX-40' },
  ),
  /** Events were parked. Sent for the first one, the tenth, the hundredth. */
  'notification/parked': firing<Parked>(
    { ...ofNotification('PARKED'), tells: ['notificationId', 'reason', 'parked'] },
    { notificationId: 'VX-40', reason: trouble.reason, parked: 10 },
  ),

  /** A user shall confirm an address of mail. The entity is the notification that brings the mail. */
  'mail/confirm': event<{ readonly user: string }>(),

  /** Trial of a notification, which gets the contained event as a sample. */
  'notification/test': event<{ readonly notification: string; readonly event: string; readonly payload: object }>(),
};

export const notificationEvent = emitterOf(notificationEvents);
