import { uriListDocument, type Value } from '../../../core/documents/index.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { answer, uriPage } from '../../../http/answers.ts';
import { type Call, nameLeftOut } from '../../../http/call.ts';
import { command } from '../../../http/command.ts';
import { raw } from '../../../http/forms.ts';
import { choice, flag, list, page, pageOf, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { done, type Reply } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { externalIdRoutes } from '../../../room/entities/external-ids/routes.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import { keyValueRoutes } from '../../../room/entities/key-values/routes.ts';
import { lotsThatFit } from '../../../room/entities/page-weight.ts';
import { entityAt } from '../../../room/entities/place.ts';
import { beginJob, commitJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import { accessRoutes } from '../../access/public.ts';
import { accessListParameters, accessOf, cursorBehindIds, listPageOf } from '../../access/public-reading.ts';
import { updateModes } from '../../containment/tables.ts';
import { externalIdPlace } from '../../definitions/public.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import { itemAt, itemKind } from '../../items/contract/entities.ts';
import {
  itemView,
  itemWeights,
  libraryAt,
  libraryKind,
  loadItems,
  readLibraries as read,
  writeLibraries as write,
} from '../../items/public.ts';
import { itemListDocument, noLists } from '../../items/public-reading.ts';
import { checkedRequest, metadataRequestOf } from '../../metadata/public.ts';
import { emptyState, isKept, type KnownStates, metadataDocument } from '../../metadata/public-reading.ts';
import { answerHits } from '../routes.ts';
import { addToLibrary, changeSettings, itemsNamed, libraryOfItems, removeFromLibrary } from './change.ts';
import { deletable, deleteLibraries, libraryDeletion } from './deletion.ts';
import { librarySettingsDocument } from './documents.ts';
import { itemMetadataJob } from './item-metadata-job.ts';
import type { LibraryParts } from './parts.ts';
import { enterLibrary, itemsIn } from './refresh.ts';
import { insertMetadataJob, listLibraries, queryOfLibrary, userWithId } from './store.ts';

function itemMetadataRoutes(parts: LibraryParts): readonly Route[] {
  const { store } = parts;
  return [
    route({
      method: 'PUT',
      path: '/library/:library/item-metadata',
      says: 'Merges a document into the metadata of all items of a library, as a job. Items that the caller may not change are skipped.',
      entities: { library: libraryAt(store)('READ') },
      query: jobParameters,
      reads: metadataDocument,
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      async handle(call, { library: { id } }) {
        const document = call.body;
        // Refuses documents that no item could accept.
        const request = metadataRequestOf(document, { isIgnored: isKept });
        await checkedRequest({ store }, emptyState(), request, undefined, await askerOf(call));
        const job = await beginJob(parts, call, { job: itemMetadataJob, memo: { libraryId: id } });
        const values = { jobId: job.jobId, libraryId: id, document: JSON.stringify(document) };
        await call.commit(together(changing(insertMetadataJob(values)), job.work));
        return job.document;
      },
    }),
  ];
}

function settingsRoutes(parts: LibraryParts): readonly Route[] {
  const { store } = parts;
  const path = '/library/:library/settings';
  const library = libraryAt(store);
  return [
    route({
      method: 'GET',
      path,
      says: 'The refresh settings of a library.',
      entities: { library: library('READ') },
      answers: librarySettingsDocument,
      access: read,
      async handle(_call, { library: row }) {
        const [user] = row.userId === null ? [] : await userWithId(store, { id: row.userId });
        return {
          id: row.id,
          username: user?.name ?? 'system',
          updateMode: row.updateMode,
          autoRefresh: row.autoRefresh === 1,
          updateFrequency: row.updateFrequency ?? undefined,
          lastUpdate: row.lastUpdate ?? undefined,
          query: await queryOfLibrary(store, row.id),
        };
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes the refresh settings of a library. Elements that the document leaves out stay.',
      entities: { library: library('WRITE') },
      reads: librarySettingsDocument,
      access: write,
      acting: 'allowed',
      handle: (call, { library: row }) => changeSettings(parts, call, row, call.body),
    }),
  ];
}

const deletion = {
  async: flag('Deletes them as a job, and answers the job', false),
  ...jobParameters,
};

/** Ids of the items of a document, as sent. */
const namesIn = ({ item = [] }: Value<typeof itemListDocument> = {}): readonly string[] =>
  item.map(({ id = '' }) => id);

export const listLibrary = command<Reply>()('GET', '/library/:library');

export function libraryRoutes(parts: LibraryParts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/library/:library';
  const kind = libraryKind(store);
  const library = libraryAt(store);
  const resource = entityAt(store, kind, { path, read, write, acting: 'allowed' }, (use) =>
    library(use === 'read' ? 'READ' : 'ALL'),
  );

  /** Deletes libraries. `find` is called again on retries. */
  async function remove(call: Call<QueryOf<typeof deletion>>, find: () => Promise<readonly string[]>): Promise<Reply> {
    if (!call.query.async) {
      await deleteLibraries(parts, call, find);
      return done;
    }
    const job = await commitJob(call, async () =>
      beginJob(parts, call, { job: libraryDeletion, memo: { libraryId: await find() } }),
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
        const request = { names, externalIds: call.query.externalId ?? [] };
        const { id } = await call.change(() => libraryOfItems(parts, call, request));
        return { uri: [id] };
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
      ...listLibrary,
      says: 'The items of a library that the caller may read, the newest first. With autoRefresh the query runs first.',
      entities: { library: library('READ') },
      query: { ...accessListParameters(settings.maxPage), ...itemView },
      answers: raw([itemListDocument, 'text']),
      access: read,
      async handle(call, { library: row }) {
        await enterLibrary(parts, row);
        const listed = await itemsIn(parts, call, row, listPageOf(call.query));
        const { ids } = listed;
        const next = cursorBehindIds(call.query, ids);
        const hitsPage = { hits: listed.hits, ids, next, extras: { library: row.id, ...noLists } };
        return answerHits(call, hitsPage, itemListDocument, 'item', async () => {
          const states: KnownStates = new Map();
          const weightOf = await itemWeights(parts, call, ids, call.query, states);
          const { lots, leftOut } = lotsThatFit(ids, weightOf, settings.maxPageValues);
          nameLeftOut(call.trace, [...leftOut]);
          const load = async (lot: readonly string[]) => {
            const whole = lot.filter((id) => !leftOut.has(id));
            const items = await loadItems(parts, call, whole, call.query, { states, type: call.type });
            const byId = new Map(items.map((item) => [item.id, item]));
            // Clients expect both ends on every item of a list.
            return lot.flatMap((id) => {
              const item = leftOut.has(id) ? { id } : byId.get(id);
              return item ? { ...item, start: '-INF', end: '+INF' } : [];
            });
          };
          return { lots, load };
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
    ...keyValueRoutes(parts, resource),
    ...externalIdRoutes(parts, externalIdPlace(parts, resource)),
  ];
}
