import type { Description } from '../../documents/index.ts';
import { accountOf } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import {
  booleanParameter,
  choiceParameter,
  dateParameter,
  integerParameter,
  limitParameter,
} from '../../http/parameter.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import type { Parameters } from '../../security/parameters.ts';
import { administrator } from '../../security/subject.ts';
import type { Store } from '../../store/store.ts';
import { type AuditLog, auditLogDocument } from './documents.ts';
import type { AuditRecorder } from './recorder.ts';
import { type AuditEntry, type AuditFilter, countEntries, readEntries } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly audit: AuditRecorder;
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

const usualRows = 100;
const mostRows = 1000;

/** The audit log. Paging begins with 0 here, as clients know it. */
export function auditRoutes({ store, render, audit }: Parts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/log',
      access: role(administrator),
      produces: documentTypes,
      async handle(call, type) {
        const { parameters } = call;
        const reader = store.reader(accountOf(call));
        await audit.flush();
        const filter = filterFrom(parameters);
        const entries = await readEntries(reader, filter);
        const hits = booleanParameter(parameters, 'performCount') ? await countEntries(reader, filter) : undefined;
        return render(type, auditLogDocument, { hits, entry: entries.map(entryOf) });
      },
    },
  ];
}

function filterFrom(parameters: Parameters): AuditFilter {
  const path = parameters.get('path') || '/';
  const starred = path.endsWith('*');
  return {
    from: dateParameter(parameters, 'starttime') ?? 0,
    to: dateParameter(parameters, 'endtime') ?? Number.MAX_SAFE_INTEGER,
    user: parameters.get('username') || undefined,
    method: parameters.get('method')?.toUpperCase() || undefined,
    // The root of the API is no part of the paths that are kept.
    path: (starred ? path.slice(0, -1) : path).replace(/^\/API(?=\/|$)/, '') || '/',
    prefix: starred || (booleanParameter(parameters, 'wildcard') ?? true),
    newestFirst: (choiceParameter(parameters, 'sort', ['asc', 'desc']) ?? 'desc') === 'desc',
    offset: integerParameter(parameters, 'first', 0) ?? 0,
    limit: limitParameter(parameters, 'rows', 0, mostRows, usualRows),
  };
}

const entryOf = (entry: AuditEntry): NonNullable<AuditLog['entry']>[number] => ({
  timestamp: entry.at,
  username: entry.user ?? undefined,
  runAs: entry.runAs ?? undefined,
  method: entry.method,
  path: entry.path,
  queryParameters: entry.query ?? undefined,
  contentType: entry.contentType ?? undefined,
  contentLength: entry.contentLength ?? undefined,
  responseCode: entry.status,
  reason: entry.reason ?? undefined,
  address: entry.address ?? undefined,
  requestId: entry.requestId ?? undefined,
  count: entry.count > 1 ? entry.count : undefined,
  lastTime: entry.lastAt ?? undefined,
});
