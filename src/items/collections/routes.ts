import { mayRead, readableIds, renderUris } from '../../access/public.ts';
import { uriListDocument } from '../../documents/index.ts';
import { findEntity } from '../../entities/find.ts';
import { type Call, optionalDocument, requireDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { choice, flag, list, page, pageOf, text } from '../../http/parameters/index.ts';
import { renderPages } from '../../http/render-list.ts';
import { done, located, plain, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { projectionNamed } from '../../metadata/public.ts';
import { accountOf } from '../../security/caller.ts';
import { collectionKind, collectionName, collectionNamed, read, write } from '../contract/collection/kind.ts';
import { collectionDocument, collectionReorderDocument } from '../documents/collection.ts';
import type { ItemsContext } from '../settings.ts';
import { deleteCollections, newCollection, putCollection, renameCollection, reorderCollection } from './change.ts';
import { folderRoutes } from './folders/routes.ts';
import { type CollectionView, collectionView, loadCollections, membersShown } from './load.ts';
import { contentOf } from './members/documents.ts';
import { memberTypes } from './members/named.ts';
import { memberRoutes } from './members/routes.ts';
import { ancestorsOf } from './members/store.ts';
import { versionSequences } from './version-sequences.ts';

export function collectionRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, render, settings, hooks } = parts;
  const path = '/collection/:collection';

  /** Renders a collection with all members, which clients count. */
  async function whole(call: Call, type: MediaType, id: string, view?: CollectionView, kinds?: readonly string[]) {
    // Unknown projections are refused here too, although only metadata routes apply them.
    await projectionNamed(parts, store, view?.projection, 'outgoing');
    const pages = membersShown(view, contentOf(parts, call, id, kinds));
    const own = async () => {
      const sequences = (await hooks.find(versionSequences)?.(store, id, limits)) ?? [];
      return loadCollections(parts, call, [id], view, { end: '/', sequences });
    };
    const [[value], { value: content }] = await Promise.all([own(), pages.next()]);
    return renderPages(render, type, collectionDocument, { ...value!, ...(content && { content }) }, 'content', pages);
  }

  return [
    route({
      method: 'POST',
      path: '/collection',
      says: 'Creates a collection with the name, metadata and members of the document.',
      query: {
        name: text('The name, which is the metadata field "title"'),
        externalId: list(text('External ids of the collection')),
      },
      reads: ['nothing', collectionDocument],
      answers: [collectionDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type): Promise<Reply> {
        const document = (await optionalDocument(call, collectionDocument, limits)) ?? {};
        const { name = document.name, externalId = [] } = call.query;
        const id = await newCollection(parts, call, name, externalId, document);
        if (type === 'text/plain') return located(plain(id), call, 'collection', id);
        const [made] = await loadCollections(parts, call, [id]);
        return located(render(type, collectionDocument, made!), call, 'collection', id);
      },
    }),
    route({
      method: 'DELETE',
      path: '/collection',
      says: 'Deletes collections. Their members stay. Unknown ids are ignored.',
      query: {
        id: list(text('The collections, by id or external id', { required: true, expected: 'Expected ids' })),
      },
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call) {
        const names = [...new Set(call.query.id)];
        await deleteCollections(parts, call, async () => {
          const found = new Map();
          for (const name of names) {
            const row = await findEntity(store, collectionKind(store), name);
            if (row) found.set(row.id, row);
          }
          return [...found.values()];
        });
        return done;
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'One collection with all members that the caller may read.',
      query: {
        children: list(choice('Only members of these kinds', memberTypes)),
        ...collectionView,
      },
      answers: [collectionDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await collectionNamed(store, params.collection);
        await mayRead(store, call, collectionName, row);
        if (type === 'text/plain') return plain(row.id);
        return whole(call, type, row.id, call.query, call.query.children);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes name, metadata and members of a collection.',
      query: { clear: flag('Removes members that the document leaves out. Default: true if it has members') },
      reads: collectionDocument,
      answers: collectionDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const document = await requireDocument(call, collectionDocument, limits);
        const id = await putCollection(parts, call, params.collection, document, call.query.clear);
        return whole(call, type, id);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a collection. Its members stay.',
      access: write,
      acting: 'allowed',
      async handle(call, { collection }) {
        await deleteCollections(parts, call, async () => [await collectionNamed(store, collection)]);
      },
    }),
    route({
      method: 'POST',
      path: `${path}/order`,
      says: 'Moves members one by one: items, then collections, then libraries.',
      reads: collectionReorderDocument,
      answers: collectionDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const document = await requireDocument(call, collectionReorderDocument, limits);
        const id = await reorderCollection(parts, call, params.collection, document);
        return whole(call, type, id);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/rename`,
      says: 'Sets the name of a collection: the metadata field "title".',
      query: { name: text('The name', { required: true, expected: 'Expected a name' }) },
      reads: ['nothing', 'text'],
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        await renameCollection(parts, call, params.collection, call.query.name);
        return done;
      },
    }),
    route({
      method: 'GET',
      path: `${path}/ancestor`,
      says: 'The collections above a collection on all levels, the nearest first.',
      query: page(settings.maxPage),
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await collectionNamed(store, params.collection);
        await mayRead(store, call, collectionName, row);
        const reader = store.reader(accountOf(call));
        const { offset, limit } = pageOf(call.query);
        const above = await ancestorsOf(reader, { type: 'collection', id: row.id, offset, end: offset + limit });
        const ids = above.map(({ id }) => id);
        return renderUris(parts, type, await readableIds(reader, call, 'collection', ids));
      },
    }),
    ...folderRoutes(parts),
    ...memberRoutes(parts),
  ];
}
