import { listPageOf, nextCursorOf } from '../assets/lists/parameters.ts';
import { listEntities } from '../assets/lists/store.ts';
import type { Maybe } from '../lib/maybe.ts';
import type { LimitedReader } from '../store/statement.ts';
import type { ItemSearch } from './documents/search.ts';
import { type IndexedKind, kindOf, numberOf } from './index/numbers.ts';
import { isIndexed, type SearchKind } from './query/ast.ts';
import type { IndexState } from './query/built.ts';
import { pageAndHits } from './query/paged/store.ts';
import { quickPage, rangePage } from './query/quick/store.ts';
import { badSearch, refusingTooDeep } from './query/refusals.ts';
import type { HitRow, PageAndHits } from './query/rows/page.ts';
import { countOf, pageOf } from './query/rows/store.ts';
import { type Resolved, Search } from './query/search.ts';
import {
  cursorText,
  keysetOf,
  type Order,
  orderOf,
  type Position,
  positionIn,
  type UsualOrder,
  usualOrder,
} from './query/sorting.ts';
import { fewHits, isOrdered, mostSorted, pageAndHitsInOrder, walkedPage } from './query/walk.ts';
import type { Viewer } from './viewer.ts';

/** Requested page of the hits. */
export interface SearchPage {
  /** Index of the first hit, from 1. Ignored with a cursor. */
  readonly first: number;
  readonly number: number;
  readonly cursor?: string | undefined;
  /** False: the total is not needed. */
  readonly counts?: boolean | undefined;
  /** Value of `NOW` in dates. */
  readonly now?: number;
}

export interface SearchOptions {
  /** Id of a collection: only its items. */
  readonly collection?: string;
  /** Id of a library: only its items. */
  readonly library?: string | undefined;
  /** Ids of entities: only these. */
  readonly among?: { readonly kind: IndexedKind; readonly ids: readonly string[] };
  /** Order for searches without one. */
  readonly order?: UsualOrder;
  /** Number of hits above which a page is read from the order of a field. Tests set a small one. */
  readonly fewHits?: number;
}

interface FindOptions extends SearchOptions {
  /** Whether nested group members also count for the outer group. Called only when metadata is read. */
  mergesGroups?(): Maybe<boolean>;
}

/** Hit: an entity, and the matching timespan if there is one. */
export interface Entry {
  readonly kind: IndexedKind;
  readonly id: string;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

export interface HitPage {
  /** Undefined: not counted. */
  readonly hits: number | undefined;
  readonly entries: readonly Entry[];
  /** Ids of the entries. Undefined if some are timespans. Responses with ids alone need no entries. */
  readonly ids: readonly string[] | undefined;
  /** Cursor of the next page, also on the last page. */
  readonly next: string | undefined;
  readonly search: Search;
  /** Complete result, for facets. */
  resolved(): Promise<Resolved>;
}

/** Finds a page of entities that the viewer may read. */
export const find = (
  reader: LimitedReader,
  viewer: Viewer,
  kind: SearchKind,
  document: ItemSearch,
  page: SearchPage,
  options: FindOptions = {},
): Promise<HitPage> => refusingTooDeep(() => findEntries(reader, viewer, kind, document, page, options));

async function findEntries(
  reader: LimitedReader,
  viewer: Viewer,
  kind: SearchKind,
  document: ItemSearch,
  page: SearchPage,
  options: FindOptions,
): Promise<HitPage> {
  const cursor = page.cursor ?? document.cursor;
  if (cursor !== undefined && document.intervals === 'timed') {
    throw badSearch('cursor', 'Expected no cursor in a search of timed metadata');
  }
  const { collection, library, among, mergesGroups = () => false } = options;
  const search = await Search.read({
    reader,
    viewer,
    kind,
    search: document,
    mergesGroups,
    genericOnly: cursor !== undefined,
    ...(page.now !== undefined && { now: page.now }),
    ...(collection !== undefined && { collection }),
    ...(library !== undefined && { library }),
    ...(among && { among: JSON.stringify(among.ids.map((id) => numberOf(among.kind, id))) }),
  });
  const asked = orderOf(document.sort ?? [], kind, search.names, () => search.relevance);
  const isUsual = (document.sort ?? []).length === 0;
  const order = isUsual && options.order ? usualOrder(asked, options.order) : asked;
  if (isList({ search, kind, order, document, options })) {
    const query = { ...page, cursor, count: page.counts !== false };
    const { hits, ids } = await listEntities(reader, viewer, kind as IndexedKind, listPageOf(query));
    const entries = ids.map((id) => ({ kind: kind as IndexedKind, id, start: undefined, end: undefined }));
    return { hits, entries, ids, next: nextCursorOf(query, ids), search, resolved: () => search.resolve() };
  }
  const resolved = await search.resolve();
  const sorted = { resolved, order, document, fewHits: options.fewHits, index: search.names.index };
  const there = await foundPage(reader, sorted, page, cursor);
  let entries: readonly Entry[] | undefined;
  return {
    hits: there.hits,
    ids: there.ids,
    get entries() {
      entries ??= there.rows.map((row) => entryOf(row, kind));
      return entries;
    },
    next: cursor === undefined ? undefined : nextOf(order, there.last, cursor),
    search,
    resolved: async () => resolved,
  };
}

/** Whether a search matches everything in the default order: lists answer it without the index. */
const isList = ({
  search,
  kind,
  order,
  ...rest
}: {
  readonly search: Search;
  readonly kind: SearchKind;
  readonly order: Order;
  readonly document: ItemSearch;
  readonly options: SearchOptions;
}): boolean =>
  (kind === 'item' || kind === 'collection') &&
  search.isEverything &&
  order.terms.length === 0 &&
  !order.ascending &&
  rest.document.intervals !== 'timed' &&
  rest.options.collection === undefined &&
  rest.options.library === undefined &&
  rest.options.among === undefined;

async function hitsOf(reader: LimitedReader, { plan, timed }: Resolved): Promise<number> {
  return (await countOf(reader, plan)) + timed.length;
}

interface Sorted {
  readonly resolved: Resolved;
  readonly order: Order;
  readonly document: ItemSearch;
  readonly fewHits: number | undefined;
  readonly index: IndexState;
}

async function foundPage(
  reader: LimitedReader,
  sorted: Sorted,
  page: SearchPage,
  cursor?: string,
): Promise<PageAndHits> {
  const { resolved, order } = sorted;
  const counts = page.counts !== false;
  const position = positionIn(order, cursor);
  if (page.number > 0 && order.terms.every(({ cheap }) => cheap)) {
    const { plan, timed } = resolved;
    const [offset, after] = [offsetOf(page, cursor), keysetOf(order, position)];
    const paged = { sort: order.terms, after, limit: page.number, offset, timed };
    const told = (await quickPage(reader, plan, paged, counts)) ?? (await rangePage(reader, plan, paged, counts));
    if (told) return told;
    return pageAndHits(reader, plan, paged, !counts ? 'nothing' : cursor === undefined ? 'unless last' : 'all');
  }
  const walked = counts && cursor === undefined ? await walkedOnce(reader, sorted, page) : undefined;
  const hits = walked?.hits ?? (counts ? await hitsOf(reader, resolved) : undefined);
  const rows = walked?.page ?? (await rowsOf(reader, sorted, hits, page, position, cursor));
  return { hits, rows, last: rows.at(-1) };
}

/** Reads the page from the order of a field if that is cheaper, and counts hits in the same read. */
async function walkedOnce(reader: LimitedReader, { resolved, order, index, fewHits: lent }: Sorted, page: SearchPage) {
  const { plan, timed } = resolved;
  if (page.number === 0 || timed.length > 0 || !isOrdered(order, index)) return undefined;
  const asked = { limit: page.number, offset: offsetOf(page, undefined) };
  const few = lent ?? (await fewHits(reader, plan.kind, asked.limit + asked.offset));
  return pageAndHitsInOrder(reader, plan, order, asked, few);
}

const offsetOf = ({ first }: SearchPage, cursor: string | undefined): number =>
  cursor === undefined ? Math.max(first - 1, 0) : 0;

async function rowsOf(
  reader: LimitedReader,
  sorted: Sorted,
  counted: number | undefined,
  page: SearchPage,
  position: Position | undefined,
  cursor?: string,
): Promise<readonly HitRow[]> {
  const { resolved, order } = sorted;
  const { plan, timed } = resolved;
  if (page.number === 0) return [];
  const [limit, offset] = [page.number, offsetOf(page, cursor)];
  const withKeys = cursor !== undefined;
  if (order.terms.some(({ cheap }) => !cheap)) {
    const hits = counted ?? (await countOf(reader, plan, mostSorted + 1));
    const few = sorted.fewHits ?? (await fewHits(reader, plan.kind, limit + offset));
    const isWalked = limit > 0 && timed.length === 0 && hits > few && isOrdered(order, sorted.index);
    if (isWalked) return walkedPage(reader, plan, order, hits, { limit, offset, position, withKeys });
    if (hits > mostSorted) throw notSortable(sorted);
  }
  return pageOf(reader, plan, { sort: order.terms, after: keysetOf(order, position), limit, offset, timed }, withKeys);
}

function notSortable({ resolved, document: { sort = [] } }: Sorted) {
  const fields = sort.map(({ field }) => field).join(', ');
  const remedy =
    resolved.timed.length > 0
      ? '"generic" as intervals sorts'
      : 'a field that is "sortable", "created" and "itemId" sort';
  return badSearch('sort', `Expected at most ${mostSorted} hits to sort by "${fields}": ${remedy} any number`);
}

const entryOf = ({ number, id, start, end }: HitRow, kind: SearchKind): Entry => ({
  kind: isIndexed(kind) ? kindOf(number) : 'item',
  id,
  start,
  end,
});

const nextOf = (order: Order, last: PageAndHits['last'], cursor: string): string =>
  last ? cursorText(order, last) : cursor;

/** Finds a page of ids, for rooms that store the result of a search. */
export async function findIds(
  reader: LimitedReader,
  viewer: Viewer,
  kind: IndexedKind,
  document: ItemSearch,
  page: SearchPage,
): Promise<{ readonly hits: number | undefined; readonly ids: readonly string[]; readonly next: string | undefined }> {
  const { hits, entries, next } = await find(reader, viewer, kind, document, page);
  return { hits, ids: entries.map(({ id }) => id), next };
}

/** Ids of the given entities that a search matches. */
export async function matches(
  reader: LimitedReader,
  viewer: Viewer,
  kind: IndexedKind,
  document: ItemSearch,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { sort: _, ...criteria } = document;
  const page = { first: 1, number: -1, counts: false };
  const { entries } = await find(reader, viewer, kind, criteria, page, { among: { kind, ids } });
  return new Set(entries.map(({ id }) => id));
}
