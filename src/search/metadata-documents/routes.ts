import { optionalDocument } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { lines } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { readDocuments as read } from '../../metadata/public.ts';
import { accountOf } from '../../security/caller.ts';
import { searchResultDocument } from '../documents/results.ts';
import { itemSearchDocument } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import { accessOf } from '../viewer.ts';
import { findDocuments } from './find.ts';

/** Routes that search documents by reading their metadata, since they are not indexed. */
export const documentSearchRoutes = ({ store, settings, limits, render }: SearchParts): readonly Route[] => [
  route({
    method: 'PUT',
    path: '/document',
    says: 'Searches documents by their metadata.',
    query: { ...page(settings.maxPage, 100), count: flag('Adds the total number', true) },
    reads: ['nothing', itemSearchDocument],
    answers: [searchResultDocument, 'text'],
    access: read,
    acting: 'allowed',
    produces: documentOrText,
    async handle(call, type) {
      const search = (await optionalDocument(call, itemSearchDocument, limits)) ?? {};
      const reader = store.reader(accountOf(call));
      const found = await findDocuments(reader, await accessOf(reader, call), search, pageOf(call.query));
      if (type === 'text/plain') return lines(found.page.map(({ name }) => [name]));
      const entry = found.page.map(({ name: id, ...span }) => ({
        timespan: [{ field: [], ...span }],
        ...span,
        type: 'Document',
        id,
      }));
      const hits = call.query.count ? found.hits : undefined;
      return renderList(render, type, searchResultDocument, { hits, entry }, 'entry');
    },
  }),
];
