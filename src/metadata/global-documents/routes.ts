import { baseOf } from '../../http/address.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { lines } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { accountOf } from '../../security/caller.ts';
import type { MetadataContext } from '../settings.ts';
import { deleteDocument } from './change.ts';
import { documentListDocument } from './documents.ts';
import { documentPath, documentPlace, read, write } from './place.ts';
import { countDocuments, documentPage } from './store.ts';

/** Routes that list and delete documents. Content is read and changed by the metadata routes. */
export function documentRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render, settings } = parts;
  return [
    route({
      method: 'GET',
      path: '/document',
      says: 'The documents, ordered by name.',
      query: page(settings.maxPage, 100),
      answers: [documentListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type) {
        const reader = store.reader(accountOf(call));
        const names = (await documentPage(reader, { ...pageOf(call.query) })).map(({ id }) => id);
        if (type === 'text/plain') return lines(names.map((name) => [name]));
        const { hits } = (await countDocuments(reader, {})) ?? { hits: 0 };
        const document = names.map((name) => ({ name, uri: `${baseOf(call)}/document/${encodeURIComponent(name)}` }));
        return renderList(render, type, documentListDocument, { hits, document }, 'document');
      },
    }),
    route({
      method: 'DELETE',
      path: documentPath,
      says: 'Deletes a document with its metadata.',
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { id } = await documentPlace(store).find(call, params, 'ALL');
        await deleteDocument(call, id);
      },
    }),
  ];
}
