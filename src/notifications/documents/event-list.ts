import { dateTime, document, element, integer, list, string, structure, type Value } from '../../documents/describe.ts';

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
    'A key with several values comes several times.',
  ),
});

/** One event, in the feed and in streams. */
export const eventDocument = document('EventDocument', event);
export type FeedEvent = Value<typeof eventDocument>;

export const eventListDocument = document('EventListDocument', {
  oldest: element(integer).says('The first that is still kept. After an earlier one there may be a gap.'),
  newest: element(integer),
  until: element(integer).says(
    'The last that was looked at, where some are not told or the page is full: the next page begins behind it.',
  ),
  event: list(event).says('In the order in which they were committed.'),
});
