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
} from '../../core/documents/describe.ts';
import { type RequestRow, type RequestState, states } from './rules.ts';
import type { ListedRow } from './store.ts';

export const scheduledRequestDocument = document('ScheduledRequestDocument', {
  id: element(integer).required,
  user: element(string).required,
  state: element(oneOf(...states)).required,
  date: element(dateTime).required.says('Earliest time of execution.'),
  created: element(dateTime).required,
  executed: element(dateTime),
  request: element(
    structure('ScheduledRequestRequestType', {
      uri: element(string).required,
      method: element(string).required,
      body: element(string).says('Only in the document of one request, and only if it is text.'),
    }),
  ).required,
  response: element(
    structure('ScheduledRequestResponseType', {
      statusCode: element(integer).required,
      hasBody: element(boolean).required.says('Whether the body is stored.'),
      contentType: element(string),
    }),
  ),
});
type ScheduledRequest = Value<typeof scheduledRequestDocument>;

export const scheduledRequestListDocument = document('ScheduledRequestListDocument', {
  scheduledRequest: list(scheduledRequestDocument.structure),
});

export const listedRequest = (row: ListedRow): ScheduledRequest => ({
  id: row.id,
  user: row.user,
  state: row.state as RequestState,
  date: row.date,
  created: row.createdAt,
  ...(row.executedAt !== null && { executed: row.executedAt }),
  request: { uri: row.uri, method: row.method },
  ...(row.status !== null && {
    response: {
      statusCode: row.status,
      hasBody: row.hasBody === 1,
      ...(row.contentType !== null && { contentType: row.contentType }),
    },
  }),
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function wholeRequest(row: RequestRow): ScheduledRequest {
  const listed = listedRequest({ ...row, hasBody: row.response === null ? 0 : 1 });
  const body = row.body && textOf(row.body);
  return body ? { ...listed, request: { ...listed.request, body } } : listed;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
