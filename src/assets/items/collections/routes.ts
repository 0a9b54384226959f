import { askEach } from '../../../core/lib/maybe.ts';
import { answer, uris } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { command } from '../../../http/command.ts';
import { raw } from '../../../http/forms.ts';
import { choice, flag, list, page, pageOf, text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { renderPages } from '../../../http/render-list.ts';
import { plain, type Reply } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { findEntity, refusedNow } from '../../../room/entities/find.ts';
import { readableIds } from '../../access/public.ts';
import { mustHave } from '../../access/public-reading.ts';
import { projectionNamed } from '../../metadata/public.ts';
import {
  collectionAt,
  collectionKind,
  collectionName,
  readCollections,
  writeCollections,
} from '../contract/entities.ts';
import { collectionDocument, collectionReorderDocument } from '../documents.ts';
import { originFrom, originParameters } from '../origin.ts';
import type { ItemsContext } from '../settings.ts';
import { deleteCollections, newCollection, putCollection, renameCollection, reorderCollection } from './change.ts';
import { folderRoutes } from './folder-routes.ts';
import {
  type CollectionView,
  collectionAhead,
  collectionView,
  loadCollections,
  membersShown,
  versionSequences,
} from './load.ts';
import { contentOf } from './members/documents.ts';
import { memberTypes } from './members/named.ts';
import { memberRoutes } from './members/routes.ts';
import { ancestorsOf, membersOfCollection } from './members/store.ts';

export const readCollection = command<Reply>()('GET', '/collection/:collection');

export function collectionRoutes(parts: ItemsContext): readonly Route[] {
  const { store, settings, hooks } = parts;
  const path = '/collection/:collection';
  const collection = collectionAt(store);

  /** Renders a collection with all members, which clients count. */
  async function whole(call: Call, id: string, view?: CollectionView, kinds?: readonly string[]): Promise<Reply> {
    // Unknown projections are refused here too, although only metadata routes apply them.
    await projectionNamed(parts, store, view?.projection, 'outgoing');
    const pages = membersShown(view, contentOf(call, id, kinds));
    const sequences = hooks.find(versionSequences)?.(store, id, call.limits);
    const loading = loadCollections(parts, call, [id], view, { end: '/', sequences, type: call.type });
    const [[value], { value: content }] = await Promise.all([loading, pages.next()]);
    const own = value ?? (await refusedNow(collection('READ'), collectionName, id, call));
    const document = { ...own, ...(content && { content }) };
    return renderPages(call.render, call.type, collectionDocument, document, 'content', pages);
  }

  return [
    route({
      method: 'POST',
      path: '/collection',
      says: 'Creates a collection with the name, metadata and members of the document.',
      query: {
        name: text('The name, which is the metadata field "title"'),
        externalId: list(text('External ids of the collection')),
        ...originParameters,
      },
      reads: optional(collectionDocument),
      answers: answer(collectionDocument, { text: ({ id = '' }) => id }),
      location: ({ id = '' }) => ['collection', id],
      access: writeCollections,
      acting: 'allowed',
      async handle(call) {
        const document = call.body ?? {};
        const { name = document.name, externalId = [] } = call.query;
        const origin = await originFrom(store, call, call.query);
        const id = await newCollection(parts, call, name, externalId, document, { origin });
        if (call.type === 'text/plain') return { id };
        const [created] = await loadCollections(parts, call, [id]);
        return created ?? { id };
      },
    }),
    route({
      method: 'DELETE',
      path: '/collection',
      says: 'Deletes collections. Their members stay. Unknown ids are ignored.',
      query: {
        id: list(text('The collections, by id or external id', { required: true, expected: 'Expected ids' })),
      },
      access: writeCollections,
      acting: 'allowed',
      async handle(call) {
        const rows = await askEach([...new Set(call.query.id)], async (name) => {
          const row = await findEntity(store, collectionKind(store), name);
          if (row) await mustHave(store, call, collectionName, row, 'ALL', undefined, name);
          return row;
        });
        const byId = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
        await deleteCollections(parts, call, [...byId.values()]);
      },
    }),
    route({
      ...readCollection,
      says: 'One collection with all members that the caller may read.',
      entities: { collection: collection('READ') },
      query: {
        children: list(choice('Only members of these kinds', memberTypes)),
        ...collectionView,
      },
      answers: raw([collectionDocument, 'text']),
      access: readCollections,
      ahead: ({ collection: id = '' }) =>
        Promise.all([
          collectionAhead(store, id),
          membersOfCollection(store, id).next(),
          hooks.find(versionSequences)?.(store, id, parts.limits),
        ]),
      handle: (call, { collection: { id } }) =>
        call.type === 'text/plain' ? plain(id) : whole(call, id, call.query, call.query.children),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes name, metadata and members of a collection.',
      entities: { collection: collection('WRITE') },
      query: { clear: flag('Removes members that the document leaves out. Default: true if it has members') },
      reads: collectionDocument,
      answers: raw(collectionDocument),
      access: writeCollections,
      acting: 'allowed',
      async handle(call, { collection: { id } }) {
        await putCollection(parts, call, id, call.body, call.query.clear);
        return whole(call, id);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a collection. Its members stay.',
      entities: { collection: collection('ALL') },
      access: writeCollections,
      acting: 'allowed',
      handle: (call, { collection }) => deleteCollections(parts, call, [collection]),
    }),
    route({
      method: 'POST',
      path: `${path}/order`,
      says: 'Moves members one by one: items, then collections, then libraries.',
      entities: { collection: collection('WRITE') },
      reads: collectionReorderDocument,
      answers: raw(collectionDocument),
      access: writeCollections,
      acting: 'allowed',
      async handle(call, { collection: { id } }) {
        await reorderCollection(parts, call, id, call.body);
        return whole(call, id);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/rename`,
      says: 'Sets the name of a collection: the metadata field "title".',
      entities: { collection: collection('WRITE') },
      query: { name: text('The name', { required: true, expected: 'Expected a name' }) },
      reads: raw(['nothing', 'text']),
      access: writeCollections,
      acting: 'allowed',
      handle: (call, { collection: { id } }) => renameCollection(parts, call, id, call.query.name),
    }),
    route({
      method: 'GET',
      path: `${path}/ancestor`,
      says: 'The collections above a collection on all levels, the nearest first.',
      entities: { collection: collection('READ') },
      query: page(settings.maxPage),
      answers: uris,
      access: readCollections,
      async handle(call, { collection: { id } }) {
        const { reader } = call;
        const { offset, limit } = pageOf(call.query);
        const above = await ancestorsOf(reader, { id, offset, limit });
        const ids = above.map((each) => each.id);
        return readableIds(reader, call, 'collection', ids);
      },
    }),
    ...folderRoutes(parts),
    ...memberRoutes(parts),
  ];
}
