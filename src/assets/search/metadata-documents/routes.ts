import { answer } from '../../../http/answers.ts';
import { flag, page, pageOf } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { readDocuments as read } from '../../metadata/public.ts';
import { searchResultDocument } from '../documents/results.ts';
import { itemSearchDocument } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import { accessOf } from '../viewer.ts';
import { findDocuments } from './find.ts';

/** As text the names of the documents. */
const results = answer(searchResultDocument, {
  list: 'entry',
  text: ({ entry = [] }) => linesOf(entry.map(({ id = '' }) => [id])),
});

/** Routes that search documents by reading their metadata, since they are not indexed. */
export const documentSearchRoutes = ({ store, settings }: SearchParts): readonly Route[] => [
  route({
    method: 'PUT',
    path: '/document',
    says: 'Searches documents by their metadata.',
    query: { ...page(settings.maxPage, 100), count: flag('Adds the total number', true) },
    reads: optional(itemSearchDocument),
    answers: results,
    access: read,
    acting: 'allowed',
    async handle(call) {
      const { query, body = {} } = call;
      const { reader } = call;
      const documents = await findDocuments(reader, await accessOf(reader, call), body, pageOf(query));
      const entry = documents.page.map(({ name: id, ...span }) => ({
        timespan: [{ field: [], ...span }],
        ...span,
        type: 'Document',
        id,
      }));
      return { hits: query.count ? documents.hits : undefined, entry };
    },
  }),
];
