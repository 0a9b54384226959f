import {
  attribute,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import type { Description } from '../../core/documents/index.ts';
import type { Store } from '../../core/store/store.ts';
import { raw } from '../../http/forms.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { choice, date, flag, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import type { AuditRecorder } from './recorder.ts';
import { type AuditEntry, type AuditFilter, countEntries, readEntries } from './store.ts';

export const auditLogDocument = document('AuditLogDocument', {
  count: element(integer).says('Number of entries, if performCount is true.'),
  entry: list(
    structure('AuditLogEntryType', {
      timestamp: attribute(dateTime).required.says('Time of the request. With a count: of the first request.'),
      username: element(string).required.says(
        'Authenticated user, or the name in a failed login. Empty: no name was sent.',
      ),
      runAs: element(string).says('The user whose rights the request used (RunAs).'),
      method: element(string).required,
      path: element(string).required,
      queryParameters: element(string).required.says('Query of the request. Probable secrets are masked.'),
      matrixParameters: element(string).required.says('Matrix parameters of the path, separated by semicolons.'),
      contentType: element(string),
      contentLength: element(string),
      responseCode: element(integer).required,
      reason: element(string).says('Reason of a refusal. After a success: the credentials of the caller.'),
      address: element(string).says('Address of the caller. With a count: of the first request.'),
      requestId: element(string),
      count: element(integer).says('Number of equal requests within a minute.'),
      lastTime: element(dateTime).says('With a count: time of the last request.'),
    }),
  ),
});
export type AuditLog = Value<typeof auditLogDocument>;

interface Parts {
  readonly store: Store;
  readonly audit: AuditRecorder;
  readonly settings: { readonly maxPageValues: number };
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

const defaultRows = 100;
const maxRows = 1000;

const filters = {
  starttime: date('Only the entries from this time on'),
  endtime: date('Only the entries before this time'),
  username: text('Only the requests of this user'),
  method: text('Only the requests with this method'),
  path: text('Only the requests to this path. "*" at its end matches all paths below it', { defaultValue: '/' }),
  refused: flag('Only the requests that were refused or failed: with a status of 400 or more', false),
  wildcard: flag('Whether to include the paths below', true),
  sort: choice('Sort order by time', ['asc', 'desc'], { defaultValue: 'desc' }),
  first: whole('Index of the first entry, from 0', { defaultValue: 0 }),
  rows: whole(`Maximum number of entries, up to ${maxRows}`, { defaultValue: defaultRows, atMost: maxRows }),
  performCount: flag('Adds the number of entries', false),
};

const maxExported = 10_000;
const { performCount: _performCount, ...others } = filters;
const exported = {
  ...others,
  rows: whole(`Maximum number of entries, up to ${maxExported}`, { defaultValue: maxExported, atMost: maxExported }),
};

/** The audit log. Paging begins with 0 here, as clients know it. */
export function auditRoutes({ render, audit, settings }: Parts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/log',
      says: 'The audit log, the newest entries first: changes, refusals, and requests without a change.',
      query: filters,
      answers: auditLogDocument,
      access: role(administrator),
      async handle(call) {
        const { query } = call;
        const { reader } = call;
        await audit.flush();
        const filter = filterFrom(query);
        const entries = await readEntries(reader, filter, settings.maxPageValues);
        const count = query.performCount ? await countEntries(reader, filter) : undefined;
        return { count, entry: entries.map(entryOf) };
      },
    }),
    route({
      method: 'GET',
      path: '/log/export',
      says: 'The audit log as a file, the newest entries first.',
      query: exported,
      answers: raw(auditLogDocument),
      access: role(administrator),
      async handle(call) {
        const { type } = call;
        const { reader } = call;
        await audit.flush();
        const filter = filterFrom({ ...call.query, performCount: false });
        const entries = await readEntries(reader, filter, settings.maxPageValues);
        const reply = await renderList(render, type, auditLogDocument, { entry: entries.map(entryOf) }, 'entry');
        const ending = type === 'application/json' ? 'json' : 'xml';
        return {
          ...reply,
          headers: { ...reply.headers, 'content-disposition': `attachment; filename="log.${ending}"` },
        };
      },
    }),
  ];
}

function filterFrom(query: QueryOf<typeof filters>): AuditFilter {
  const { path } = query;
  const starred = path.endsWith('*');
  return {
    from: query.starttime ?? 0,
    to: query.endtime ?? Number.MAX_SAFE_INTEGER,
    user: query.username,
    method: query.method?.toUpperCase(),
    leastStatus: query.refused ? 400 : 0,
    // The root of the API is no part of the paths that are kept.
    path: (starred ? path.slice(0, -1) : path).replace(/^\/API(?=\/|$)/, '') || '/',
    prefix: starred || query.wildcard,
    newestFirst: query.sort === 'desc',
    offset: query.first,
    limit: query.rows,
  };
}

const entryOf = (entry: AuditEntry): NonNullable<AuditLog['entry']>[number] => ({
  timestamp: entry.at,
  // Clients refuse a log with an entry that lacks one of these, even an empty one.
  username: entry.user ?? '',
  method: entry.method,
  path: entry.path,
  queryParameters: entry.query ?? '',
  matrixParameters: entry.matrix ?? '',
  runAs: entry.runAs ?? undefined,
  contentType: entry.contentType ?? undefined,
  contentLength: entry.contentLength?.toString(),
  responseCode: entry.status,
  reason: entry.reason ?? undefined,
  address: entry.address ?? undefined,
  requestId: entry.requestId ?? undefined,
  count: entry.count > 1 ? entry.count : undefined,
  lastTime: entry.lastAt ?? undefined,
});
