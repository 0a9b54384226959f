import {
  boolean,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

/** State of a notification's deliveries. */
export const notificationHealthDocument = document('NotificationHealthDocument', {
  state: element(oneOf('active', 'paused', 'disabled')).required,
  since: element(dateTime).required,
  reason: element(string).says('Reason of the pause, or why the notification is disabled.'),
  resume: element(dateTime).says('When the pause ends by itself.'),
  missing: element(string).says('Missing action of a plugin. Events wait until a plugin provides it.'),
  blocked: element(string).says('Why no call reaches its address as the settings are. Its events are parked.'),
  lane: element(string).required.says('Deliveries of one lane are made one after the other.'),
  waiting: element(integer).required.says('Events that wait for delivery, counted up to a limit.'),
  waitingMore: element(boolean).says('True: there are more than counted.'),
  oldestWaiting: element(dateTime),
  nextAttempt: element(dateTime).says('When its lane continues, if it waits.'),
  parked: element(integer).required.says('Parked events. They can be sent again.'),
  delivered: element(integer).required,
  failed: element(integer).required.says('Number of failed attempts.'),
  lost: element(integer).required.says('Events that were dropped: too many were parked, or they were too old.'),
  failures: element(integer).required.says('Failed attempts since the last success.'),
  failingSince: element(dateTime),
  lastDelivery: element(dateTime),
  lastFailure: element(dateTime),
});
export type NotificationHealth = Value<typeof notificationHealthDocument>;

const attempt = structure('DeliveryType', {
  id: element(integer).required,
  event: element(integer).says('Sequence number of the event. Left out if the receiver was asked before the change.'),
  trigger: element(string).required,
  entity: element(string).required,
  attempt: element(integer).required,
  started: element(dateTime).required,
  ended: element(dateTime).required,
  duration: element(integer).required.says('Duration in milliseconds.'),
  state: element(string).required.says('delivered, failed, parked, dropped or vetoed.'),
  status: element(integer).says('Status of the answer, if there was one.'),
  error: element(string).says('Kind of the failure.'),
  address: element(string),
  explanation: element(string).says('Explanation of the failure, for callers who may change the notification.'),
  answer: element(string).says('Beginning of the answer, for callers with WRITE.'),
  waits: element(boolean).says('The event waits for another attempt.'),
  parked: element(boolean).says('The event was parked.'),
});

/** Attempt to deliver an event. */
export const deliveryDocument = document('DeliveryDocument', attempt);
export type Delivery = Value<typeof deliveryDocument>;

export const deliveryListDocument = document('DeliveryListDocument', {
  delivery: list(attempt).says('The newest first.'),
  next: element(string).says('The parameter "before" of the next page.'),
});

export const parkedListDocument = document('ParkedListDocument', {
  event: list(
    structure('ParkedEventType', {
      sequence: element(integer).required,
      trigger: element(string).required,
      entity: element(string).required,
      happened: element(dateTime).required,
      parked: element(dateTime).required,
      reason: element(string).required,
      attempts: element(integer).required,
    }),
  ),
  next: element(integer).says('The parameter "since" of the next page.'),
});

/** The last request to send events again. */
export const replayDocument = document('ReplayDocument', {
  state: element(oneOf('running', 'done')).required,
  dryRun: element(boolean).required.says('A dry run: events are counted and not sent.'),
  parked: element(boolean).required.says('Only parked events.'),
  since: element(dateTime).required,
  scanned: element(integer).required.says('Number of examined events.'),
  found: element(integer).required.says('Matching events. They are sent again, unless they are still waiting.'),
  user: element(string).required,
  started: element(dateTime).required,
  ended: element(dateTime),
});
export type Replay = Value<typeof replayDocument>;

/** Keys that sign deliveries, in the format of Standard Webhooks. */
export const notificationSecretDocument = document('NotificationSecretDocument', {
  number: element(integer).required,
  secret: element(string).says('Secret of "v1" signatures. Only in the answer that creates it.'),
  publicKey: element(string).required.says('Public key of "v1a" signatures.'),
  created: element(dateTime).required,
  previous: list(
    structure('PreviousSecretType', {
      number: element(integer).required,
      publicKey: element(string).required,
      created: element(dateTime).required,
      ends: element(dateTime).required,
    }),
  ).says('Older secrets, which also sign deliveries until they expire.'),
});
export type NotificationSecret = Value<typeof notificationSecretDocument>;
