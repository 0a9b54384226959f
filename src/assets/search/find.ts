import { once } from '../../core/lib/cache.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { LimitedReader } from '../../core/store/statement.ts';
import { cursorBehind } from '../../http/parameters/index.ts';
import { cursorAt, type Viewer } from '../access/public-reading.ts';
import type { ItemSearch } from './documents.ts';
import { type IndexedKind, kindOf, numberOf } from './index/keys.ts';
import { findPage, type Planned, statisticsOf } from './planner.ts';
import { isIndexed, type Node, type SearchKind } from './query/ast.ts';
import type { Joins } from './query/joined.ts';
import type { Counting, HitRow } from './query/page.ts';
import { badSearch, refusingTooDeep } from './query/refusals.ts';
import { type Resolved, Search } from './query/search.ts';
import {
  cursorText,
  type DefaultOrder,
  defaultOrder,
  keysetOf,
  orderOf,
  positionIn,
  type SortOrder,
} from './query/sorting.ts';
import type { PageQuery } from './strategies.ts';

/** Requested page of the hits. */
export interface SearchPage {
  /** Index of the first hit, from 1. Ignored with a cursor. */
  readonly first: number;
  readonly number: number;
  readonly cursor?: string | undefined;
  /** Whether the total is needed. Default: true. */
  readonly counts?: Counting | undefined;
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
  readonly order?: DefaultOrder;
  /** Rows of extensions that the search asks about. */
  readonly joins?: Joins;
  /** Strategies to take where one of them fits, whatever they cost. Tests set some. */
  readonly strategies?: readonly string[];
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
  /** True: there may be more hits than that. */
  readonly mayBeMore: boolean;
  entries(): readonly Entry[];
  /** Ids of the entries. Undefined if some are timespans. Responses with ids alone need no entries. */
  readonly ids: readonly string[] | undefined;
  /** Cursor of the page behind. Undefined: the page is one by number. */
  readonly next: string | undefined;
  readonly search: Search;
  /** Strategy that found the page. */
  readonly planned: Planned;
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

/** Search with its names, and the order of its hits. */
export interface Prepared {
  readonly search: Search;
  readonly order: SortOrder;
  readonly cursor: string | undefined;
  /** Whether lists of the kind answer. */
  readonly isListed: boolean;
}

export async function prepareSearch(
  reader: LimitedReader,
  viewer: Viewer,
  kind: SearchKind,
  document: ItemSearch,
  page: SearchPage,
  options: FindOptions,
): Promise<Prepared> {
  const cursor = page.cursor ?? document.cursor;
  if (cursor !== undefined && document.intervals === 'timed') {
    throw badSearch('cursor', 'Expected no cursor in a search of timed metadata');
  }
  const { collection, library, among, joins, mergesGroups = () => false } = options;
  const search = await Search.read({
    reader,
    viewer,
    kind,
    search: document,
    mergesGroups,
    joins,
    ...(page.now !== undefined && { now: page.now }),
    ...(collection !== undefined && { collection }),
    ...(library !== undefined && { library }),
    ...(among && { among: JSON.stringify(among.ids.map((id) => numberOf(among.kind, id))) }),
  });
  const named = orderOf(document.sort ?? [], kind, search.names, () => search.relevance);
  const isDefault = (document.sort ?? []).length === 0;
  const order = isDefault && options.order ? defaultOrder(named, options.order) : named;
  return { search, order, cursor, isListed: canBeListed(search, kind, order, document, options) };
}

async function findEntries(
  reader: LimitedReader,
  viewer: Viewer,
  kind: SearchKind,
  document: ItemSearch,
  page: SearchPage,
  options: FindOptions,
): Promise<HitPage> {
  const { search, order, cursor, isListed } = await prepareSearch(reader, viewer, kind, document, page, options);
  const resolved = await search.resolve({ isListed, isOfTables: isOrderOfTables(order) });
  const position = isListed ? undefined : positionIn(order, cursor);
  const query: PageQuery = {
    plan: resolved.plan,
    timed: resolved.timed,
    viewer,
    order,
    sort: order.terms,
    after: keysetOf(order, position, resolved.timed.length > 0),
    limit: page.number,
    offset: cursor === undefined ? Math.max(page.first - 1, 0) : 0,
    counts: page.counts ?? true,
    cursor,
    position,
    isListed,
  };
  const { index } = search.names;
  const planned = await findPage(reader, query, statisticsOf(reader, query, index), options.strategies);
  const { hits, mayBeMore = false, ids, rows } = planned.page;
  return {
    hits,
    mayBeMore,
    ids,
    entries: once(() => rows().map((row) => entryOf(row, kind))),
    next:
      cursor === undefined
        ? undefined
        : cursorBehind(cursor, rows(), (last) => (isListed ? cursorAt(last.id) : cursorText(order, last))),
    search,
    planned,
    resolved: isListed || resolved.plan.isOfTables ? () => search.resolve() : async () => resolved,
  };
}

const isOrderOfTables = ({ terms }: SortOrder): boolean =>
  terms.every(({ by }) => typeof by === 'string' && by !== 'relevance');

/** Criteria of a search whose hits the tables of the entities tell without an index. Undefined: it needs one. */
export const columnsOf = ({ search, order }: Prepared): Node | undefined =>
  isOrderOfTables(order) ? search.ofColumns : undefined;

/** Whether a search matches everything in the default order: lists answer it without the index. */
const canBeListed = (
  search: Search,
  kind: SearchKind,
  order: SortOrder,
  document: ItemSearch,
  { collection, library, among }: SearchOptions,
): boolean =>
  (kind === 'item' || kind === 'collection') &&
  search.isEverything() &&
  order.terms.length === 0 &&
  !order.ascending &&
  document.intervals !== 'timed' &&
  [collection, library, among].every((scope) => scope === undefined);

const entryOf = ({ number, id, start, end }: HitRow, kind: SearchKind): Entry => ({
  kind: isIndexed(kind) ? kindOf(number) : 'item',
  id,
  start,
  end,
});

/** Finds a page of ids, for rooms that store the result of a search. */
export async function findIds(
  reader: LimitedReader,
  viewer: Viewer,
  kind: IndexedKind,
  document: ItemSearch,
  page: SearchPage,
  options: SearchOptions = {},
): Promise<{ readonly hits: number | undefined; readonly ids: readonly string[]; readonly next: string | undefined }> {
  const { hits, entries, next } = await find(reader, viewer, kind, document, page, options);
  return { hits, ids: entries().map(({ id }) => id), next };
}
