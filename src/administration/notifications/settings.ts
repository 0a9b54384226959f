import type { CoreSettings } from '../../core/settings/core.ts';
import {
  constant,
  mailbox,
  mailServer,
  matching,
  oneOf,
  type SettingsOf,
  type SettingTable,
  setting,
  whole,
} from '../../core/settings/kinds.ts';
import { SettingError } from '../../core/settings/read.ts';

/** Settings of deliveries, their retention, and the feed. */
export const notificationSettings = {
  deliveryConcurrency: setting(
    whole(1, 10_000),
    100,
    'Lanes of notifications that are delivered concurrently. Calls of more than two seconds do not count, up to ten times as many.',
  ),
  deliveryLease: setting(
    whole(3, 3600),
    20,
    'Lease time of a lane in seconds. An instance renews it, and others take over after it expires.',
  ),
  deliveryPoll: setting(
    whole(50, 600_000),
    1_000,
    'Interval in milliseconds at which an instance looks for work that other instances made. Its own events are delivered at once.',
  ),
  deliveryTimeout: setting(
    whole(1, 3600),
    30,
    'Maximum seconds for one attempt to deliver. A longer timeout of a notification is cut to it.',
  ),
  deliveryAnswerBytes: constant(
    1_024,
    "Maximum number of bytes of a receiver's answer that are read, and kept in the log of deliveries.",
  ),
  deliveryRetries: setting(whole(0, 1000), 3, 'Default number of attempts after the first one.'),
  deliveryRetryHours: setting(
    whole(0, 720),
    24,
    'Hours for which an event is retried by default, also after that number of attempts.',
  ),
  deliveryPauseFirst: setting(
    whole(1, 3_600_000),
    1_000,
    'Milliseconds between the first two attempts. It doubles with each attempt, with 20 % jitter.',
  ),
  deliveryPauseMost: constant(600, 'Maximum seconds between two attempts.'),
  deliveryAloneMinutes: constant(
    15,
    'Minutes until an event is parked that fails while other events of its notification are delivered.',
  ),
  deliveryBlockedMinutes: constant(
    1440,
    'Minutes until an event is parked that cannot be delivered and blocks others.',
  ),
  pauseAfterFailures: constant(
    10,
    'Consecutive failures after which a notification is paused. After the pause, one attempt tests the receiver.',
  ),
  pauseFirst: constant(60, 'Seconds of the first such pause. It doubles with each consecutive pause.'),
  pauseMost: constant(1_800, 'Maximum seconds of such a pause.'),
  disableAfterHours: setting(
    whole(0, 8760),
    120,
    'Hours without a success after which a notification is disabled until somebody resumes it. 0: never.',
  ),
  synchronousSeconds: setting(
    whole(1, 300),
    10,
    'Maximum seconds for which a change waits for all of its synchronous notifications.',
  ),
  maxNotifications: constant(100_000, 'Maximum number of notifications.'),
  maxNotificationDepth: constant(
    8,
    'Maximum length of a chain of deliveries whose receivers call the API. Further events are parked, and changes with synchronous notifications are refused.',
  ),
  maxParked: constant(10_000, 'Maximum number of parked events of a notification. Beyond that, the oldest is deleted.'),
  eventDays: setting(
    whole(1, 36_500),
    30,
    'Days for which events are stored, so that they can be delivered, sent again and read at /event.',
  ),
  deliveryDays: constant(30, 'Days for which attempts to deliver stay in the log.'),
  maxEventStreams: setting(
    whole(0, 100_000),
    100,
    'Maximum number of connections that wait for events at /event. The last fifth is for sessions of the web page.',
  ),
  maxUserEventStreams: constant(8, 'Maximum number of such connections for the logins of one user.'),
  smtpUrl: setting(
    mailServer,
    undefined,
    'Mail server that takes messages for people. smtp:// begins TLS by STARTTLS, smtps:// begins with it. Unset: none.',
  ),
  smtpTls: setting(
    oneOf('require', 'optional'),
    'require',
    'Whether mail to another machine needs TLS. "optional" sends it in clear where the server offers no STARTTLS. A password always needs TLS.',
  ),
  mailFrom: setting(mailbox, '', 'Sender of mail, such as "Portico <portico@example.com>". Empty: no mail is sent.'),
  publicUrl: setting(
    matching(/^$|^https?:\/\/[^\s?#"<>]+$/, 'an http address'),
    '',
    'Address by which people reach this service, for links in mail: https://media.example.com.',
  ),
  eventStreamSeconds: constant(
    300,
    'Seconds until such a connection is closed. The client connects again, and all filters see its request again.',
  ),
} as const satisfies SettingTable;

/** Settings of notifications, and those shared by all rooms. */
export type NotificationSettings = SettingsOf<typeof notificationSettings> & CoreSettings;

/** Mail to people has a sender and links. */
export function checkMailSettings({ smtpUrl, mailFrom, publicUrl }: NotificationSettings): void {
  if (smtpUrl === undefined) return;
  if (mailFrom === '') throw new SettingError('Expected PORTICO_MAIL_FROM with PORTICO_SMTP_URL: the sender of mail');
  if (publicUrl === '')
    throw new SettingError('Expected PORTICO_PUBLIC_URL with PORTICO_SMTP_URL: links in mail begin with it');
}
