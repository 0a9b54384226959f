import type { CoreSettings } from '../settings/core.ts';
import { mebibyte, type SettingsOf, type SettingTable, setting, whole } from '../settings/kinds.ts';

/** Settings of deliveries, their retention, and the feed. */
export const notificationSettings = {
  deliveryConcurrency: setting(
    whole(1, 10_000),
    100,
    'Lanes of notifications that are delivered at the same time. Calls that take longer than two seconds do not count, up to ten times as many.',
  ),
  deliveryLease: setting(
    whole(3, 3600),
    20,
    'Seconds for which an instance has a lane before it says that it is still at it. After that, others take over.',
  ),
  deliveryPoll: setting(
    whole(50, 600_000),
    1_000,
    'Milliseconds after which an instance looks for what others have committed. What it commits itself is delivered at once.',
  ),
  deliveryTimeout: setting(
    whole(1, 3600),
    30,
    'Most seconds for one attempt to deliver. A longer timeout of a notification is cut to it.',
  ),
  deliveryAnswerBytes: setting(
    whole(0, mebibyte),
    1_024,
    "Most bytes of a receiver's answer that are read, and kept in the log of deliveries.",
  ),
  deliveryRetries: setting(whole(0, 1000), 3, 'Attempts after the first one, for notifications that do not say.'),
  deliveryRetryHours: setting(
    whole(0, 720),
    24,
    'Hours for which an event of such a notification is tried again, even when these attempts are used up.',
  ),
  deliveryPauseFirst: setting(
    whole(1, 3_600_000),
    1_000,
    'Milliseconds between the first two attempts. Doubles with each one, give or take a fifth.',
  ),
  deliveryPauseMost: setting(whole(1, 86_400), 600, 'Most seconds between two attempts.'),
  deliveryAloneMinutes: setting(
    whole(1, 43_200),
    15,
    'Minutes for which an event is tried that fails while others of its notification get through; then it is parked.',
  ),
  deliveryBlockedMinutes: setting(
    whole(1, 43_200),
    1440,
    'Minutes for which an event that cannot be delivered keeps others waiting; then it is parked.',
  ),
  pauseAfterFailures: setting(
    whole(1, 100_000),
    10,
    'Failures in a row after which a notification is left alone for a while. Then one attempt shows whether its receiver is back.',
  ),
  pauseFirst: setting(whole(1, 86_400), 60, 'Seconds of the first such pause. Doubles with each one in a row.'),
  pauseMost: setting(whole(1, 604_800), 1_800, 'Most seconds of such a pause.'),
  disableAfterHours: setting(
    whole(0, 8760),
    120,
    'Hours of nothing but failures after which a notification is disabled until somebody resumes it. 0: never.',
  ),
  synchronousSeconds: setting(
    whole(1, 300),
    10,
    'Most seconds for which a change waits for all of its synchronous notifications.',
  ),
  maxNotifications: setting(whole(0, 10_000_000), 100_000, 'Most notifications there can be.'),
  maxNotificationDepth: setting(
    whole(1, 1000),
    8,
    'How many deliveries may lead to each other: a receiver that calls the API fires the next. Events beyond are parked; changes that a synchronous notification would be asked about are refused.',
  ),
  maxParked: setting(
    whole(1, 1_000_000),
    10_000,
    'Most events that were given up and are kept for each notification; beyond, the oldest goes.',
  ),
  eventDays: setting(
    whole(1, 36_500),
    30,
    'Days for which events are kept: how long one can be delivered, sent again and read at /event.',
  ),
  deliveryDays: setting(whole(1, 36_500), 30, 'Days for which attempts to deliver stay in the log.'),
  maxEventStreams: setting(whole(0, 100_000), 100, 'Most connections that wait for events at /event.'),
  eventStreamSeconds: setting(
    whole(1, 86_400),
    300,
    'Seconds until such a connection is ended and has to come again, with rights as they are then.',
  ),
} as const satisfies SettingTable;

/** Settings of notifications, and those shared by all rooms. */
export type NotificationSettings = SettingsOf<typeof notificationSettings> & CoreSettings;
