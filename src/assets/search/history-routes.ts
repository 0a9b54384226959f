import type { Call } from '../../http/call.ts';
import { date, text, whole } from '../../http/parameters/index.ts';
import { type Access, type Route, role, roleMissing, route } from '../../http/route.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { type ItemSearch, searchHistoryDocument } from './documents.ts';
import type { SearchParts } from './parts.ts';
import { maxKept, searchesOf } from './store.ts';

/** Routes for the search history of the caller, without duplicates. */
export const historyRoutes = (parts: SearchParts): readonly Route[] => [
  historyRoute(parts, 'item', role('_item_search')),
  historyRoute(parts, 'collection', role('_collection_read')),
];

function historyRoute(parts: SearchParts, kind: 'item' | 'collection', access: Access): Route {
  const { store, settings, history } = parts;
  return route({
    method: 'GET',
    path: `/${kind}/history`,
    says: `The searches of ${kind}s that the caller has made, the newest first.`,
    query: {
      maxResults: whole('Maximum number of searches', { defaultValue: 10, least: 1, atMost: maxKept }),
      username: text('User of the searches. Other users only for administrators'),
      start: date('Only searches since this time'),
    },
    answers: searchHistoryDocument,
    access,
    async handle(call) {
      const user = await userOf(call, call.query.username);
      const { maxResults: limit, start: from = 0 } = call.query;
      await history.flush();
      const values = { user, kind, from, limit, newer: history.newerTimes(user, kind) };
      const rows = await pageWithin(searchesOf, store, values, settings.maxPageValues, 'maxResults');
      const search = rows.map(({ query, at }) => ({ query: JSON.parse(query) as ItemSearch, timestamp: at, user }));
      return { search };
    },
  });
}

async function userOf(call: Call, wanted: string | undefined): Promise<string> {
  const subject = subjectOf(call);
  if (wanted === undefined || wanted === subject.name) return subject.name;
  if (!(await subject.has(administrator))) throw roleMissing(administrator);
  return wanted;
}
