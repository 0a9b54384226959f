import { baseOf } from '../../../http/address.ts';
import { answer } from '../../../http/answers.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import type { MetadataContext } from '../settings.ts';
import { deleteDocument } from './change.ts';
import { documentListDocument } from './documents.ts';
import { documentAt, documentPath, read, write } from './place.ts';
import { countDocuments, documentPage } from './store.ts';

/** Routes that list and delete documents. Content is read and changed by the metadata routes. */
export const documentRoutes = ({ store, settings }: MetadataContext): readonly Route[] => [
  route({
    method: 'GET',
    path: '/document',
    says: 'The documents, ordered by name.',
    query: page(settings.maxPage, 100),
    answers: answer(documentListDocument, {
      list: 'document',
      text: ({ document = [] }) => linesOf(document.map(({ name = '' }) => [name])),
    }),
    access: read,
    async handle(call) {
      const { reader } = call;
      const names = (await documentPage(reader, { ...pageOf(call.query) })).map(({ id }) => id);
      if (call.type === 'text/plain') return { document: names.map((name) => ({ name })) };
      const { hits } = (await countDocuments(reader, {})) ?? { hits: 0 };
      const document = names.map((name) => ({ name, uri: `${baseOf(call)}/document/${encodeURIComponent(name)}` }));
      return { hits, document };
    },
  }),
  route({
    method: 'DELETE',
    path: documentPath,
    says: 'Deletes a document with its metadata.',
    entities: { document: documentAt(store) },
    access: write,
    acting: 'allowed',
    handle: (call, { document: { id } }) => deleteDocument(call, id),
  }),
];
