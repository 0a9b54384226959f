import { mayRead } from '../../access/public.ts';
import { lotsOf } from '../../entities/page-weight.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, type MediaType } from '../../http/negotiation.ts';
import { flag, type QueryOf } from '../../http/parameters/index.ts';
import { plain, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route } from '../../http/route.ts';
import { collectionName, collectionNamed } from '../../items/contract/collection/kind.ts';
import { read as itemRead } from '../../items/contract/item/kind.ts';
import { itemView, itemWeights, loadItems } from '../../items/public.ts';
import { itemListDocument } from '../../items/public-reading.ts';
import type { KnownStates } from '../../metadata/public-reading.ts';
import { searchPlanDocument } from '../documents/plan.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from '../documents/search.ts';
import type { SearchOptions } from '../find.ts';
import { keepResult, libraryResult, libraryScope, libraryScopeOf } from '../libraries/result.ts';
import type { SearchParts } from '../parts.ts';
import { searchReading } from '../reading.ts';
import {
  explainSearch,
  parseGroupSearch,
  parseSearch,
  runSearch,
  searchInQuery,
  searchParameters,
  searchRequest,
} from '../request.ts';
import { save, savedSearch } from '../saved/saved.ts';
import { itemList, itemListReading } from './list.ts';

/** Routes that search items: all, or those of a collection. */
export function itemSearchRoutes(parts: SearchParts): readonly Route[] {
  const { settings, render, store, property } = parts;
  const query = {
    ...searchParameters(settings.maxPage),
    url: flag('Whether a text answer has addresses instead of ids', false),
    ...libraryScope,
    ...itemView,
  };
  const { save: _save, ...unsaved } = query;
  const keeping = { ...query, ...libraryResult };
  type Query = QueryOf<typeof query>;

  async function answer(
    call: Call<Query>,
    type: MediaType,
    document: ItemSearch,
    options: SearchOptions = {},
    library?: string,
  ): Promise<Reply> {
    if (call.query.save) return save(parts, call, document);
    const scope = await libraryScopeOf(parts, call, call.query.library);
    const scoped = { ...options, ...scope };
    if (call.query.explain) return explainSearch(parts, call, type, 'item', document, call.query, scoped);
    const request = await searchRequest(parts, call, 'item', document, call.query, scoped);
    const form = { type, before: call.query.url ? `${baseOf(call)}/item/` : '', library };
    const { content = [], p } = call.query;
    if (type === 'text/plain' || (content.length === 0 && p === undefined)) {
      const namespace = settings.schemaNamespace;
      return runSearch(parts, call, itemListReading, { ...request, ...form, namespace });
    }
    const found = await runSearch(parts, call, searchReading, request);
    const known: KnownStates = new Map();
    const weightOf = await itemWeights(parts, call, [...new Set(found.ids)], call.query, known);
    const lots = lotsOf([...found.ids.keys()], (at) => weightOf(found.ids[at]!), settings.maxPageValues);
    return itemList(render, form, found, { lots, load: (ids) => loadItems(parts, call, ids, call.query, known) });
  }

  /** Answers a search, and stores the result as a library if the caller requests it. */
  async function answerKept(
    call: Call<QueryOf<typeof keeping>>,
    type: MediaType,
    document: ItemSearch,
    options: SearchOptions = {},
  ): Promise<Reply> {
    if (call.query.result === 'list' || call.query.save || call.query.explain)
      return answer(call, type, document, options);
    const library = await keepResult(parts, call, document, options.collection);
    return type === 'text/plain' ? plain(library) : answer(call, type, document, options, library);
  }

  /** Restricts a search to a collection, in order of creation or in that of the collection. */
  async function within(call: Call, params: Params<'/:collection'>): Promise<SearchOptions> {
    const row = await collectionNamed(store, params.collection);
    await mayRead(store, call, collectionName, row);
    const keepsOrder = (await property('indexCollectionItemOrder')) === 1;
    const order = keepsOrder ? { signature: 'places', membersOf: row.id } : { signature: 'ascending' };
    return { collection: row.id, order };
  }

  const answers = [itemListDocument, searchPlanDocument, 'text'] as const;
  const search = role('_item_search');
  const collectionRead = role('_collection_read');
  const inCollection = '/collection/:collection/item';
  return [
    route({
      method: 'GET',
      path: '/item',
      says: 'The items that the caller may read, the newest first, or those that a search finds.',
      query: { ...query, ...searchInQuery },
      answers,
      access: itemRead,
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call, call.query.q)),
    }),
    route({
      method: 'PUT',
      path: '/item',
      says: 'Searches items.',
      query: keeping,
      reads: ['nothing', itemSearchDocument],
      answers,
      access: search,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) => answerKept(call, type, await parseSearch(parts, call)),
    }),
    route({
      method: 'PUT',
      path: '/item/metadata-group',
      says: 'Searches items in which one instance of any group matches all criteria.',
      query: unsaved,
      reads: ['nothing', metadataGroupSearchDocument],
      answers,
      access: search,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) =>
        answer({ ...call, query: { ...call.query, save: false } }, type, await parseGroupSearch(parts, call)),
    }),
    route({
      method: 'GET',
      path: '/item/saved/:hash',
      says: 'The items that a saved search finds now.',
      query,
      answers,
      access: search,
      produces: documentOrText,
      handle: async (call, type, params) => answer(call, type, await savedSearch(parts, params.hash)),
    }),
    route({
      method: 'GET',
      path: inCollection,
      says: 'The items of a collection that the caller may read, or those that a search finds.',
      query: { ...query, ...searchInQuery },
      answers,
      access: collectionRead,
      produces: documentOrText,
      handle: async (call, type, params) =>
        answer(call, type, await parseSearch(parts, call, call.query.q), await within(call, params)),
    }),
    route({
      method: 'PUT',
      path: inCollection,
      says: 'Searches the items of a collection.',
      query: keeping,
      reads: ['nothing', itemSearchDocument],
      answers,
      access: collectionRead,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type, params) =>
        answerKept(call, type, await parseSearch(parts, call), await within(call, params)),
    }),
    route({
      method: 'GET',
      path: `${inCollection}/saved/:hash`,
      says: 'The items of a collection that a saved search finds now.',
      query,
      answers,
      access: collectionRead,
      produces: documentOrText,
      handle: async (call, type, params) =>
        answer(call, type, await savedSearch(parts, params.hash), await within(call, params)),
    }),
  ];
}
