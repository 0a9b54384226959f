import { type Call, nameLeftOut } from '../../http/call.ts';
import { flag, type QueryOf, whole } from '../../http/parameters/index.ts';
import { bothRoles, type Route, role, route } from '../../http/route.ts';
import { lotsThatFit } from '../../room/entities/page-weight.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { askingOf } from '../access/public-reading.ts';
import { readCollections } from '../items/contract/entities.ts';
import {
  collectionListDocument,
  collectionView,
  collectionWeights,
  itemView,
  itemWeights,
  loadCollections,
  loadItems,
  tellsMetadata,
} from '../items/public.ts';
import type { Item } from '../items/public-reading.ts';
import type { KnownStates } from '../metadata/public-reading.ts';
import {
  autocompleteRequestDocument,
  autocompleteResponseDocument,
  type SearchResultEntry,
  searchResultDocument,
} from './documents.ts';
import type { Entry } from './find.ts';
import type { SearchParts } from './parts.ts';
import { autocompleteReading, type SearchAnswer, searchReading } from './reading.ts';
import { runSearch } from './request.ts';
import { answerHits, type Lots, searchRoutes } from './routes.ts';

export const collectionSearchRoutes = (parts: SearchParts): readonly Route[] =>
  searchRoutes(parts, {
    kind: 'collection',
    path: '/collection',
    second: '/search2/collection',
    nouns: 'collections',
    says: { list: 'The collections that the caller may read, the newest first, or those that a search finds.' },
    document: collectionListDocument,
    access: readCollections,
    has: ['group', 'saved'],
    view: collectionView,
    async answer(call, request) {
      const page = await runSearch(parts, call, searchReading, request);
      const ids = [...new Set(page.ids)];
      return answerHits(call, { ...page, ids }, collectionListDocument, 'collection', async () => {
        const states: KnownStates = new Map();
        const weightOf = await collectionWeights(call, ids, call.query, states);
        const max = tellsMetadata(call.query) ? parts.settings.maxPageValues : Number.POSITIVE_INFINITY;
        const { lots, leftOut } = lotsThatFit(ids, weightOf, max);
        nameLeftOut(call.trace, [...leftOut]);
        const load = async (lot: readonly string[]) => {
          const whole = lot.filter((id) => !leftOut.has(id));
          const loaded = await loadCollections(parts, call, whole, call.query, { states, type: call.type });
          const byId = new Map(loaded.map((collection) => [collection.id, collection]));
          return lot.flatMap((id) => (leftOut.has(id) ? { id } : (byId.get(id) ?? [])));
        };
        return { lots, load };
      });
    },
  });

const search = role('_item_search');
/** Search over both kinds needs both roles. */
const searchBoth = bothRoles('_item_search', '_collection_read');

/** Suggestions from collections need the role for reading collections. */
const autocompleteKind = async (caller: Caller): Promise<'item' | 'both'> =>
  (await subjectOf(caller).has('_collection_read')) ? 'both' : 'item';

const idsOf = (entries: readonly Entry[], kind: Entry['kind']): readonly string[] => [
  ...new Set(entries.flatMap((each) => (each.kind === kind ? each.id : []))),
];

/** Clients expect these lists on every item with content. */
function withLists({ shape, access, externalId, ...item }: Item, hasContent: boolean): Item {
  const none = hasContent ? [] : undefined;
  return { shape: shape ?? none, access: access ?? none, externalId: externalId ?? none, ...item };
}

const { content: _, ...ofCollection } = collectionView;
const view = { ...ofCollection, ...itemView };

/** Loads the content of items and collections on a page, in lots of its entries. */
async function contentOf(
  parts: SearchParts,
  call: Call<QueryOf<typeof view>>,
  { entries = [], highlights }: SearchAnswer,
): Promise<Lots<readonly number[]>> {
  const { content } = call.query;
  const hasContent = (content?.length ?? 0) > 0;
  const shared = content?.flatMap((word) => (word === 'metadata' || word === 'external' ? word : []));
  const ofCollections = { ...call.query, content: shared };
  const states = { items: new Map() as KnownStates, collections: new Map() as KnownStates };
  const items = await itemWeights(parts, call, idsOf(entries, 'item'), call.query, states.items);
  const ids = idsOf(entries, 'collection');
  const collections = await collectionWeights(call, ids, ofCollections, states.collections);
  const weightAt = (at: number): number => (entries[at]!.kind === 'item' ? items : collections)(entries[at]!.id);
  const isBounded = hasContent || tellsMetadata(ofCollections);
  const max = isBounded ? parts.settings.maxPageValues : Number.POSITIVE_INFINITY;

  const { lots, leftOut } = lotsThatFit([...entries.keys()], weightAt, max);
  nameLeftOut(
    call.trace,
    [...leftOut].map((at) => entries[at]!.id),
  );

  async function load(lot: readonly number[]): Promise<readonly SearchResultEntry[]> {
    const those = lot.flatMap((at) => (leftOut.has(at) ? [] : entries[at]!));
    const ofItems = { states: states.items, type: call.type };
    const items = await loadItems(parts, call, idsOf(those, 'item'), call.query, ofItems);
    const itemOf = new Map(items.map((each) => [each.id, each]));
    const more = { states: states.collections, type: call.type };
    const loaded = await loadCollections(parts, call, idsOf(those, 'collection'), ofCollections, more);
    const collectionOf = new Map(loaded.map(({ loc: _loc, ...each }) => [each.id, each]));
    return lot.flatMap((at): SearchResultEntry | readonly [] => {
      const { kind, id, start = '-INF', end = '+INF' } = entries[at]!;
      const span = { start, end };
      const timespan = highlights?.[at] ?? [{ field: [], ...span }];
      const one = leftOut.has(at) ? { id } : (kind === 'collection' ? collectionOf : itemOf).get(id);
      if (!one) return [];
      if (kind === 'collection') return { collection: one, timespan, ...span, type: 'Collection', id };
      const item = { start, end, ...withLists(one, hasContent) };
      return { item, timespan, ...span, type: 'Item', id };
    });
  }

  return { lots, load };
}

/** Routes that search items and collections together. */
export const bothSearchRoutes = (parts: SearchParts): readonly Route[] => [
  ...searchRoutes(parts, {
    kind: 'both',
    path: '/search',
    second: '/search2',
    nouns: 'items and collections',
    says: { list: 'Items and collections, the newest first, or those that a search finds.' },
    document: searchResultDocument,
    access: searchBoth,
    has: ['group', 'saved'],
    view,
    async answer(call, request) {
      const page = await runSearch(parts, call, searchReading, request);
      return answerHits(call, page, searchResultDocument, 'entry', () => contentOf(parts, call, page));
    },
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
      return (await parts.engines.complete(call, input)) ?? parts.perform(call, autocompleteReading, input);
    },
  }),
  route({
    method: 'POST',
    path: '/search/optimize',
    says: 'Has no effect: the index needs no maintenance.',
    query: {
      blocking: flag('Accepted, without effect', false),
      timeout: whole('Milliseconds: accepted, without effect', { defaultValue: 0 }),
    },
    access: search,
    acting: 'allowed',
    handle: () => undefined,
  }),
];
