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
import type { EventRow } from './store.ts';

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
type FeedEvent = Value<typeof eventDocument>;

export const eventListDocument = document('EventListDocument', {
  oldest: element(integer).says('First stored sequence number. After an earlier one, events may be missing.'),
  newest: element(integer),
  until: element(integer).says(
    'Last examined sequence number, if the page is full or some events are left out. The next page begins after it.',
  ),
  event: list(event).says('Events in commit order.'),
});

export const feedEventOf = ({ runAs, requestId, payload, at, ...row }: EventRow): FeedEvent => ({
  sequence: row.sequence,
  name: row.name,
  entityType: row.entityType,
  entityId: row.entityId,
  timestamp: at,
  user: row.user,
  runAs: runAs ?? undefined,
  requestId: requestId ?? undefined,
  data: Object.entries(JSON.parse(payload) as Record<string, unknown>).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => ({ key, value: textOf(each) })),
  ),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
