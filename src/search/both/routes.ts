import { lotsOf } from '../../entities/page-weight.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, type MediaType } from '../../http/negotiation.ts';
import { flag, type QueryOf, whole } from '../../http/parameters/index.ts';
import { renderLots } from '../../http/render-list.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { bothRoles, type Route, role, route } from '../../http/route.ts';
import {
  collectionView,
  collectionWeights,
  itemView,
  itemWeights,
  loadCollections,
  loadItems,
  tellsMetadata,
} from '../../items/public.ts';
import type { KnownStates } from '../../metadata/public-reading.ts';
import { subjectOf } from '../../security/caller.ts';
import { searchPlanDocument } from '../documents/plan.ts';
import { type SearchResultEntry, searchResultDocument } from '../documents/results.ts';
import {
  autocompleteRequestDocument,
  autocompleteResponseDocument,
  type ItemSearch,
  itemSearchDocument,
  metadataGroupSearchDocument,
} from '../documents/search.ts';
import type { Entry } from '../find.ts';
import type { SearchParts } from '../parts.ts';
import { autocompleteReading } from '../reading.ts';
import {
  explainSearch,
  parseGroupSearch,
  parseSearch,
  searchFor,
  searchInQuery,
  searchParameters,
} from '../request.ts';
import { save, savedSearch } from '../saved/saved.ts';
import { askingOf } from '../viewer.ts';

const search = role('_item_search');
/** Search over both kinds needs both roles. */
const searchBoth = bothRoles('_item_search', '_collection_read');

/** Suggestions from collections need the role for reading collections. */
const autocompleteKind = async (call: Call): Promise<'item' | 'both'> =>
  (await subjectOf(call).has('_collection_read')) ? 'both' : 'item';

const idsOf = (entries: readonly Entry[], kind: Entry['kind']): readonly string[] => [
  ...new Set(entries.flatMap((each) => (each.kind === kind ? each.id : []))),
];

/** Routes that search items and collections together. */
export function bothSearchRoutes(parts: SearchParts): readonly Route[] {
  const { settings, render } = parts;
  const { content: _, ...rest } = collectionView;
  const query = { ...searchParameters(settings.maxPage), ...rest, ...itemView };
  const { save: _save, ...unsaved } = query;

  async function answer(call: Call<QueryOf<typeof query>>, type: MediaType, document: ItemSearch): Promise<Reply> {
    if (call.query.save) return save(parts, call, document);
    if (call.query.explain) return explainSearch(parts, call, type, 'both', document, call.query);
    const found = await searchFor(parts, call, 'both', document, call.query);
    const { hits, ids, entries = [], next, besides, highlights } = found;
    if (type === 'text/plain') return lines(ids.map((id) => [id]));
    const content = call.query.content?.flatMap((word) => (word === 'metadata' || word === 'external' ? word : []));
    const wanted = { ...call.query, content };
    const known = { items: new Map() as KnownStates, collections: new Map() as KnownStates };
    const items = await itemWeights(parts, call, idsOf(entries, 'item'), call.query, known.items);
    const those = idsOf(entries, 'collection');
    const collections = await collectionWeights(parts, call, those, wanted, known.collections);
    const hasContent = (call.query.content?.length ?? 0) > 0;
    const most = hasContent || tellsMetadata(wanted) ? settings.maxPageValues : Number.POSITIVE_INFINITY;
    const lots = lotsOf(
      [...entries.keys()],
      (at) => {
        const { kind, id } = entries[at]!;
        return kind === 'item' ? items(id) : collections(id);
      },
      most,
    );
    const value = { hits, ...besides, nextCursor: next };
    return renderLots(render, type, searchResultDocument, value, 'entry', lots, (lot) => entriesAt(lot));

    async function entriesAt(lot: readonly number[]): Promise<readonly SearchResultEntry[]> {
      const those = lot.map((at) => entries[at]!);
      const items = new Map(
        (await loadItems(parts, call, idsOf(those, 'item'), call.query, known.items)).map((each) => [each.id, each]),
      );
      const found = idsOf(those, 'collection');
      const loaded = await loadCollections(parts, call, found, wanted, { known: known.collections });
      const collections = new Map(loaded.map(({ loc: _loc, ...each }) => [each.id, each]));
      // Clients expect these lists on every item with content.
      const lists = hasContent ? { shape: [], access: [], externalId: [] } : {};
      return lot.map((at): SearchResultEntry => {
        const each = entries[at]!;
        const span = { start: each.start ?? '-INF', end: each.end ?? '+INF' };
        const timespan = highlights?.[at] ?? [{ field: [], ...span }];
        if (each.kind === 'collection') {
          return { collection: collections.get(each.id)!, timespan, ...span, type: 'Collection', id: each.id };
        }
        const { shape, access: rights, externalId, ...item } = items.get(each.id)!;
        const given = { ...(shape && { shape }), ...(rights && { access: rights }), ...(externalId && { externalId }) };
        return { item: { ...item, ...lists, ...given, ...span }, timespan, ...span, type: 'Item', id: each.id };
      });
    }
  }

  const answers = [searchResultDocument, searchPlanDocument, 'text'] as const;
  return [
    route({
      method: 'GET',
      path: '/search',
      says: 'Items and collections, the newest first, or those that a search finds.',
      query: { ...query, ...searchInQuery },
      answers,
      access: searchBoth,
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call, call.query.q)),
    }),
    route({
      method: 'PUT',
      path: '/search',
      says: 'Searches items and collections.',
      query,
      reads: ['nothing', itemSearchDocument],
      answers,
      access: searchBoth,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call)),
    }),
    route({
      method: 'PUT',
      path: '/search/metadata-group',
      says: 'Searches items and collections in which one instance of any group matches all criteria.',
      query: unsaved,
      reads: ['nothing', metadataGroupSearchDocument],
      answers,
      access: searchBoth,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) =>
        answer({ ...call, query: { ...call.query, save: false } }, type, await parseGroupSearch(parts, call)),
    }),
    route({
      method: 'GET',
      path: '/search/saved/:hash',
      says: 'The items and collections that a saved search finds now.',
      query,
      answers,
      access: searchBoth,
      produces: documentOrText,
      handle: async (call, type, params) => answer(call, type, await savedSearch(parts, params.hash)),
    }),
    route({
      method: 'PUT',
      path: '/search/autocomplete',
      says: 'Autocompletes a text with values or words of items and collections.',
      reads: autocompleteRequestDocument,
      answers: autocompleteResponseDocument,
      access: search,
      acting: 'allowed',
      async handle(call) {
        const request = call.body;
        const input = { asking: await askingOf(call), kind: await autocompleteKind(call), request };
        const result = await parts.perform(call, autocompleteReading, input);
        return result;
      },
    }),
    route({
      method: 'POST',
      path: '/search/optimize',
      says: 'Has no effect: the index needs no maintenance.',
      query: {
        blocking: flag('Accepted, without effect', false),
        timeout: whole('Milliseconds: accepted, without effect', { usual: 0 }),
      },
      access: search,
      acting: 'allowed',
      produces: [],
      handle: () => done,
    }),
  ];
}
