import { uriListDocument, type Value } from '../../../core/documents/index.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { answer, uriPage } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { choice, flag, list, page, pageOf, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { done, type Reply } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { externalIdRoutes } from '../../../room/entities/external-ids/routes.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import { keyValueRoutes } from '../../../room/entities/key-values/routes.ts';
import { lotsOf } from '../../../room/entities/page-weight.ts';
import { entityAt } from '../../../room/entities/place.ts';
import { startJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import { accessRoutes } from '../../access/public.ts';
import { accessListParameters, accessOf, listPageOf, nextCursorOf } from '../../access/public-reading.ts';
import { externalIdPlace } from '../../definitions/public.ts';
import { itemAt, itemKind } from '../../items/contract/entities.ts';
import {
  itemView,
  itemWeights,
  libraryAt,
  libraryKind,
  loadItems,
  readLibraries as read,
  updateModes,
  writeLibraries as write,
} from '../../items/public.ts';
import { itemListDocument, noLists } from '../../items/public-reading.ts';
import type { KnownStates } from '../../metadata/public-reading.ts';
import { answerHits } from '../routes.ts';
import { addToLibrary, itemsNamed, newLibrary, removeFromLibrary } from './change.ts';
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

/** Ids of the items of a document, as sent. */
const namesIn = ({ item = [] }: Value<typeof itemListDocument> = {}): readonly string[] =>
  item.map(({ id = '' }) => id);

export function libraryRoutes(parts: LibraryParts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/library/:library';
  const kind = libraryKind(store);
  const library = libraryAt(store);
  const place = entityAt(store, kind, { path, read, write, acting: 'allowed' }, (use) =>
    library(use === 'read' ? 'READ' : 'ALL'),
  );

  /** Deletes libraries. `find` is called again on retries. */
  async function remove(call: Call<QueryOf<typeof deletion>>, find: () => Promise<readonly string[]>): Promise<Reply> {
    if (!call.query.async) {
      await deleteLibraries(parts, call, find);
      return done;
    }
    const job = await retryWhenChanged(async () =>
      startJob(parts, call, { job: libraryDeletion, memo: { libraryId: await find() } }),
    );
    return call.render(call.type, jobDocument, job);
  }

  return [
    route({
      method: 'POST',
      path: '/library',
      says: 'Creates a library with the items of the document.',
      query: { externalId: list(text('External ids of the library')) },
      reads: optional(itemListDocument),
      answers: answer(uriListDocument, { text: ({ uri: [id = ''] = [] }) => id }),
      access: write,
      acting: 'allowed',
      location: ({ uri: [id = ''] = [] }) => ['library', id],
      async handle(call) {
        const names = namesIn(call.body);
        return { uri: [await newLibrary(parts, call, { names, externalIds: call.query.externalId ?? [] })] };
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
      answers: uriPage,
      access: read,
      async handle(call) {
        const viewer = await accessOf(store, call);
        const { hits, ids } = await listLibraries(call.reader, viewer, call.query, pageOf(call.query));
        return { hits, uri: ids };
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
      answers: raw(['nothing', jobDocument]),
      access: write,
      acting: 'allowed',
      handle: (call) => remove(call, () => deletable(parts, call, call.query.id)),
    }),
    route({
      method: 'GET',
      path,
      says: 'The items of a library that the caller may read, the newest first. With autoRefresh the query runs first.',
      entities: { library: library('READ') },
      query: { ...accessListParameters(settings.maxPage), ...itemView },
      answers: raw([itemListDocument, 'text']),
      access: read,
      async handle(call, { library: row }) {
        await enterLibrary(parts, row);
        const { hits, ids } = await itemsIn(parts, call, row, listPageOf(call.query));
        const hitsPage = { hits, ids, next: nextCursorOf(call.query, ids), besides: { library: row.id, ...noLists } };
        return answerHits(call, hitsPage, itemListDocument, 'item', async () => {
          const states: KnownStates = new Map();
          const weightOf = await itemWeights(parts, call, ids, call.query, states);
          const load = async (lot: readonly string[]) => {
            const items = await loadItems(parts, call, lot, call.query, states);
            // Clients expect both ends on every item of a list.
            return items.map((each) => ({ ...each, start: '-INF', end: '+INF' }));
          };
          return { lots: lotsOf(ids, weightOf, settings.maxPageValues), load };
        });
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Adds the items of the document to a library.',
      entities: { library: library('WRITE') },
      reads: itemListDocument,
      access: write,
      acting: 'allowed',
      handle: (call, { library: row }) =>
        addToLibrary(parts, call, row, () => itemsNamed(parts, call, namesIn(call.body))),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a library. Its items stay.',
      entities: { library: library('ALL') },
      query: deletion,
      answers: raw(['nothing', jobDocument]),
      access: write,
      acting: 'allowed',
      handle: (call, { library: { id } }) => remove(call, async () => [id]),
    }),
    route({
      method: 'PUT',
      path: `${path}/:item`,
      says: 'Adds an item to a library.',
      entities: { library: library('WRITE'), item: itemAt(store)('READ') },
      access: write,
      acting: 'allowed',
      handle: (call, { library: row, item }) => addToLibrary(parts, call, row, async () => [item.id]),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:item`,
      says: 'Removes an item from a library. The item itself stays.',
      entities: { library: library('WRITE'), item: pathEntity(store, itemKind(store)) },
      access: write,
      acting: 'allowed',
      handle: (call, { library: row, item }) => removeFromLibrary(parts, call, row, item.id),
    }),
    ...settingsRoutes(parts),
    ...itemMetadataRoutes(parts),
    ...accessRoutes(parts, kind),
    ...keyValueRoutes(parts, place),
    ...externalIdRoutes(parts, externalIdPlace(parts, place)),
  ];
}
