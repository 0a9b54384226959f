import { accessRoutes, mayRead } from '../../access/public.ts';
import { accessListParameters, accessOf, listPageOf, mustHave, nextCursorOf } from '../../access/public-reading.ts';
import { externalIdPlace } from '../../definitions/public.ts';
import { uriListDocument } from '../../documents/index.ts';
import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import { findEntity } from '../../entities/find.ts';
import { keyValueRoutes } from '../../entities/key-values/routes.ts';
import { lotsOf } from '../../entities/page-weight.ts';
import { entityAt } from '../../entities/place.ts';
import { type Call, optionalDocument, requireDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { choice, flag, list, page, pageOf, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import { renderList, renderLots } from '../../http/render-list.ts';
import { done, lines, located, plain, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import {
  itemView,
  itemWeights,
  type LibraryRow,
  libraryKind,
  libraryName,
  libraryNamed,
  loadItems,
  memberNamed,
  readLibraries as read,
  updateModes,
  writeLibraries as write,
} from '../../items/public.ts';
import { itemListDocument, noLists } from '../../items/public-reading.ts';
import { startJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { jobParameters } from '../../jobs/parameters.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { KnownStates } from '../../metadata/public-reading.ts';
import { accountOf } from '../../security/caller.ts';
import { addToLibrary, newLibrary, removeFromLibrary } from './change.ts';
import { deletable, deleteLibraries } from './delete.ts';
import { libraryDeletion } from './deletion-job.ts';
import { itemMetadataRoutes } from './item-metadata/routes.ts';
import type { LibraryParts } from './parts.ts';
import { enterLibrary, itemsIn } from './read.ts';
import { settingsRoutes } from './settings-routes.ts';
import { listLibraries } from './store.ts';

const deletion = {
  async: flag('Deletes them as a job, and answers the job', false),
  ...jobParameters,
};

export function libraryRoutes(parts: LibraryParts): readonly Route[] {
  const { store, render, limits, settings } = parts;
  const path = '/library/:library';
  const kind = libraryKind(store);
  const place = placeOf(parts);

  /** Deletes libraries. `find` is called again on retries. */
  async function remove(
    call: Call<QueryOf<typeof deletion>>,
    type: MediaType,
    find: () => Promise<readonly LibraryRow[]>,
  ) {
    if (!call.query.async) {
      await deleteLibraries(parts, call, find);
      return done;
    }
    const job = await retryWhenChanged(async () => {
      const ids = await deletable(parts, call, find);
      return startJob(parts, call, { job: libraryDeletion, memo: { libraryId: ids } });
    });
    return render(type, jobDocument, job);
  }

  return [
    route({
      method: 'POST',
      path: '/library',
      says: 'Creates a library with the items of the document.',
      query: { externalId: list(text('External ids of the library')) },
      reads: ['nothing', itemListDocument],
      answers: [uriListDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type): Promise<Reply> {
        const { item = [] } = (await optionalDocument(call, itemListDocument, limits)) ?? {};
        const names = item.map((each) => each.id ?? '');
        const id = await newLibrary(parts, call, { names, externalIds: call.query.externalId ?? [] });
        const answer = type === 'text/plain' ? plain(id) : render(type, uriListDocument, { uri: [id] });
        return located(answer, call, 'library', id);
      },
    }),
    route({
      method: 'GET',
      path: '/library',
      says: 'The libraries that the caller may read, the newest first.',
      query: {
        ...page(settings.maxPage, 100),
        autoRefresh: flag('Only libraries that refresh themselves, or only others'),
        updateMode: choice('Only libraries of this mode', updateModes),
        frequencyFrom: whole('Only libraries that are refreshed after so many seconds or more'),
        frequencyTo: whole('Only libraries that are refreshed after so many seconds or less'),
      },
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type) {
        const reader = store.reader(accountOf(call));
        const viewer = await accessOf(store, call);
        const { hits, ids } = await listLibraries(reader, viewer, call.query, pageOf(call.query));
        if (type === 'text/plain') return lines(ids.map((id) => [id]));
        return renderList(render, type, uriListDocument, { hits, uri: ids }, 'uri');
      },
    }),
    route({
      method: 'DELETE',
      path: '/library',
      says: 'Deletes libraries. Their items stay. Unknown ids are ignored.',
      query: {
        id: list(text('The libraries, by id or external id', { required: true, expected: 'Expected ids' })),
        ...deletion,
      },
      answers: ['nothing', jobDocument],
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      handle: (call, type) =>
        remove(call, type, async () => {
          const found = new Map<string, LibraryRow>();
          for (const name of new Set(call.query.id)) {
            const row = await findEntity(store, kind, name);
            if (row) found.set(row.id, row);
          }
          return [...found.values()];
        }),
    }),
    route({
      method: 'GET',
      path,
      says: 'The items of a library that the caller may read, the newest first. With autoRefresh the query runs first.',
      query: { ...accessListParameters(settings.maxPage), ...itemView },
      answers: [itemListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await enterLibrary(parts, call, params.library);
        const { hits, ids } = await itemsIn(parts, call, row, listPageOf(call.query));
        if (type === 'text/plain') return lines(ids.map((id) => [id]));
        const known: KnownStates = new Map();
        const lots = lotsOf(ids, await itemWeights(parts, call, ids, call.query, known), settings.maxPageValues);
        const value = { hits, library: row.id, nextCursor: nextCursorOf(call.query, ids), ...noLists };
        return renderLots(render, type, itemListDocument, value, 'item', lots, async (lot) => {
          const items = await loadItems(parts, call, lot, call.query, known);
          // Clients expect both ends on every item of a list.
          return items.map((each) => ({ ...each, start: '-INF', end: '+INF' }));
        });
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Adds the items of the document to a library.',
      reads: ['nothing', itemListDocument],
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { item = [] } = await requireDocument(call, itemListDocument, limits);
        await addToLibrary(
          parts,
          call,
          params.library,
          item.map((each) => each.id ?? ''),
        );
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a library. Its items stay.',
      query: deletion,
      answers: ['nothing', jobDocument],
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      handle: (call, type, params) => remove(call, type, async () => [await libraryNamed(store, params.library)]),
    }),
    route({
      method: 'PUT',
      path: `${path}/:item`,
      says: 'Adds an item to a library.',
      access: write,
      acting: 'allowed',
      async handle(call, { library, item }) {
        await addToLibrary(parts, call, library, [item]);
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:item`,
      says: 'Removes an item from a library. The item itself stays.',
      access: write,
      acting: 'allowed',
      async handle(call, { item, library }) {
        const find = () => memberNamed(store, { type: 'item', id: item });
        await removeFromLibrary(parts, call, library, find);
      },
    }),
    ...settingsRoutes(parts),
    ...itemMetadataRoutes(parts),
    ...accessRoutes(parts, kind),
    ...keyValueRoutes(parts, place),
    ...externalIdRoutes(parts, externalIdPlace(parts, place)),
  ];
}

/** Path of libraries, for routes shared between rooms. */
function placeOf({ store }: LibraryParts) {
  const kind = libraryKind(store);
  const place = entityAt(store, kind, { path: '/library/:library', read, write, acting: 'allowed' });
  return {
    ...place,
    async find(params: Parameters<typeof place.find>[0], call: Call) {
      const entity = await place.find(params, call);
      if (call.method === 'GET') await mayRead(store, call, libraryName, entity);
      else await mustHave(store, call, libraryName, entity, 'ALL');
      return entity;
    },
  };
}
