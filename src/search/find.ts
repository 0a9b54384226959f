import { listPageOf, nextCursorOf } from '../assets/lists/parameters.ts';
import { listEntities } from '../assets/lists/store.ts';
import type { Reader } from '../store/statement.ts';
import type { ItemSearch } from './documents/search.ts';
import { type IndexedKind, kindOf, numberOf } from './index/numbers.ts';
import { type Found, isIndexed } from './query/ast.ts';
import { badSearch } from './query/refusals.ts';
import { countOf, type FoundRow, type Plan, pageOf } from './query/rows/store.ts';
import { type Resolved, Search } from './query/search.ts';
import { cursorText, keysetOf, type Order, orderOf } from './query/sorting.ts';
import type { Viewer } from './viewer.ts';

/** The part of what a search finds that a caller asks for. */
export interface SearchPage {
  /** Counted from 1. Nothing for a caller who goes by cursors. */
  readonly first: number;
  readonly number: number;
  readonly cursor?: string | undefined;
  /** False: nobody asks how many there are. */
  readonly counts?: boolean | undefined;
  /** What `NOW` means in dates. */
  readonly now?: number;
}

export interface SearchOptions {
  /** Only items of this collection. */
  readonly collection?: string;
  /** Only items of this library. */
  readonly library?: string | undefined;
  /** Only these entities, by id. */
  readonly among?: { readonly kind: IndexedKind; readonly ids: readonly string[] };
  /** Where it asks for none: another one. */
  order?(order: Order): Order;
  /** Members of nested groups count as members of the group around them. */
  readonly mergesGroups?: boolean;
}

/** One entity, and the timespan where one matched. */
export interface Entry {
  readonly kind: IndexedKind;
  readonly id: string;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

export interface FoundEntries {
  /** Undefined: nobody asked. */
  readonly hits: number | undefined;
  readonly entries: readonly Entry[];
  /** For a caller who goes by cursors. The last page has one, too. */
  readonly next: string | undefined;
  readonly search: Search;
  /** All that is found, for facets. */
  resolved(): Promise<Resolved>;
}

/** Hits that are sorted by a field without an index: each costs a look-up. */
const mostSorted = 200_000;

/** Finds a page of entities that the viewer may read. */
export async function find(
  reader: Reader,
  viewer: Viewer,
  found: Found,
  document: ItemSearch,
  page: SearchPage,
  options: SearchOptions = {},
): Promise<FoundEntries> {
  const cursor = page.cursor ?? document.cursor;
  if (cursor !== undefined && document.intervals === 'timed') {
    throw badSearch('cursor', 'Expected no cursor in a search of timed metadata');
  }
  const { collection, library, among, mergesGroups = false } = options;
  const search = await Search.read({
    reader,
    viewer,
    found,
    search: document,
    mergesGroups,
    genericOnly: cursor !== undefined,
    ...(page.now !== undefined && { now: page.now }),
    ...(collection !== undefined && { collection }),
    ...(library !== undefined && { library }),
    ...(among && { among: JSON.stringify(among.ids.map((id) => numberOf(among.kind, id))) }),
  });
  const asked = orderOf(document.sort ?? [], found, search.names, search.relevance);
  const isUsual = (document.sort ?? []).length === 0;
  const order = isUsual ? (options.order?.(asked) ?? asked) : asked;
  if (isList({ search, found, order, document, options })) {
    const query = { ...page, cursor, count: page.counts !== false };
    const { hits, ids } = await listEntities(reader, viewer, found as IndexedKind, listPageOf(query));
    const entries = ids.map((id) => ({ kind: found as IndexedKind, id, start: undefined, end: undefined }));
    return { hits, entries, next: nextCursorOf(query, ids), search, resolved: () => search.resolve() };
  }
  const resolved = await search.resolve();
  const hits = page.counts === false ? undefined : await hitsOf(reader, resolved);
  if (order.terms.some(({ cheap }) => !cheap)) await expectSortable(reader, resolved.plan, hits, document);
  const rows = await rowsOf(reader, resolved, order, page, cursor);
  return {
    hits,
    entries: rows.map((row) => entryOf(row, found)),
    next: cursor === undefined ? undefined : nextOf(order, rows, cursor),
    search,
    resolved: async () => resolved,
  };
}

/** Whether a document asks for everything in the usual order: lists answer that without the index. */
const isList = ({
  search,
  found,
  order,
  ...rest
}: {
  readonly search: Search;
  readonly found: Found;
  readonly order: Order;
  readonly document: ItemSearch;
  readonly options: SearchOptions;
}): boolean =>
  (found === 'item' || found === 'collection') &&
  search.isEverything &&
  order.terms.length === 0 &&
  !order.ascending &&
  rest.document.intervals !== 'timed' &&
  rest.options.collection === undefined &&
  rest.options.library === undefined &&
  rest.options.among === undefined;

async function hitsOf(reader: Reader, { plan, timed }: Resolved): Promise<number> {
  return (await countOf(reader, plan)) + timed.length;
}

async function rowsOf(reader: Reader, { plan, timed }: Resolved, order: Order, page: SearchPage, cursor?: string) {
  if (page.number === 0) return [];
  return pageOf(reader, plan, {
    sort: order.terms,
    after: keysetOf(order, cursor),
    limit: page.number,
    offset: cursor === undefined ? Math.max(page.first - 1, 0) : 0,
    timed,
  });
}

async function expectSortable(
  reader: Reader,
  plan: Plan,
  hits: number | undefined,
  { sort = [] }: ItemSearch,
): Promise<void> {
  const count = hits ?? (await countOf(reader, plan, mostSorted + 1));
  if (count <= mostSorted) return;
  const fields = sort.map(({ field }) => field).join(', ');
  throw badSearch(
    'sort',
    `Expected at most ${mostSorted} hits to sort by "${fields}": "created" and "itemId" sort any number`,
  );
}

const entryOf = ({ number, id, start, end }: FoundRow, found: Found): Entry => ({
  kind: isIndexed(found) ? kindOf(number) : 'item',
  id,
  start,
  end,
});

function nextOf(order: Order, rows: readonly FoundRow[], cursor: string): string {
  const last = rows.at(-1);
  return last ? cursorText(order, last) : cursor;
}

/** A page of ids, for rooms that keep what a search finds. */
export async function findIds(
  reader: Reader,
  viewer: Viewer,
  kind: IndexedKind,
  document: ItemSearch,
  page: SearchPage,
): Promise<{ readonly hits: number | undefined; readonly ids: readonly string[]; readonly next: string | undefined }> {
  const { hits, entries, next } = await find(reader, viewer, kind, document, page);
  return { hits, ids: entries.map(({ id }) => id), next };
}

/** Which of these entities a search finds. */
export async function matches(
  reader: Reader,
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
