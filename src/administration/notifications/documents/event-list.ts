import {
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const event = structure('EventType', {
  sequence: element(integer).required,
  name: element(string).required,
  entityType: element(string).required,
  entityId: element(string).required,
  timestamp: element(dateTime).required,
  user: element(string).required,
  runAs: element(string),
  requestId: element(string),
  data: list(structure('EventDataType', { key: element(string).required, value: element(string).required })).says(
    'A key with several values is repeated.',
  ),
});

/** Event in the feed and in streams. */
export const eventDocument = document('EventDocument', event);
export type FeedEvent = Value<typeof eventDocument>;

export const eventListDocument = document('EventListDocument', {
  oldest: element(integer).says('First stored sequence number. After an earlier one, events may be missing.'),
  newest: element(integer),
  until: element(integer).says(
    'Last examined sequence number, if the page is full or some events are left out. The next page begins after it.',
  ),
  event: list(event).says('Events in commit order.'),
});
