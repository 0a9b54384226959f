import type { Maybe } from '../../core/lib/maybe.ts';
import type { LimitedReader } from '../../core/store/statement.ts';
import type { Viewer } from '../access/public-reading.ts';
import { belowOf, listEntities } from '../access/public-reading.ts';
import type { IndexedKind } from './index/keys.ts';
import { type Counting, type PageAndHits, plainPage, type Total } from './query/page.ts';
import { pageAndHits, reached } from './query/paged-sql.ts';
import { type AtOnce, maxLooked, maxQuick, rangeAtOnce, rangeByPlaces, wordAtOnce } from './query/quick-sql.ts';
import { type Paged, type Plan, pageOf } from './query/rows-sql.ts';
import type { SortOrder, SortPosition } from './query/sorting.ts';
import { totalOf } from './query/total-sql.ts';
import { maxSorted, pageAndHitsInOrder, walkCost, walkedPage } from './query/walk.ts';

/** Page of a search whose names are resolved. */
export interface PageQuery extends Paged {
  readonly plan: Plan;
  readonly viewer: Viewer;
  readonly order: SortOrder;
  /** Whether the total is needed. */
  readonly counts: Counting;
  /** As sent: lists have cursors of their own. */
  readonly cursor: string | undefined;
  readonly position: SortPosition | undefined;
  /** True: no criteria and no order, so that lists of the kind answer. */
  readonly isListed: boolean;
}

/** Figures by which strategies are compared. */
export interface Statistics {
  /** Number of entities of the kind, by counters. */
  readonly entities: number;
  /** Number of hits, if counted. Without a total, at most one more than can be sorted. */
  readonly hits?: number | undefined;
  /** Number of hits or places that an earlier search of the same single condition met. */
  readonly remembered?: number | undefined;
  /** Whether an index has all entities in the order of the first sort field. */
  readonly isOrdered: boolean;
  /** Whether the thread of the search may run short reads itself. */
  readonly readsAtOnce: boolean;
}

/** Strategy that gave up, with what it learned. The planner then picks again. */
interface GivenUp {
  readonly because: string;
  readonly learned?: Pick<Statistics, 'hits' | 'remembered'>;
}

/** Way to find a page. All strategies that fit find the same page. */
export interface Strategy {
  readonly name: string;
  /** True: the planner counts the hits first, if nothing has. */
  readonly needsHits?: true;
  /** True, or why the strategy is refused. */
  fits(query: PageQuery, statistics: Statistics): true | string;
  /** In look-ups of one entity. */
  cost(query: PageQuery, statistics: Statistics): number;
  run(reader: LimitedReader, query: PageQuery, statistics: Statistics): Maybe<PageAndHits | GivenUp>;
}

/** Number of hits, or the best estimate of it. */
export const hitsIn = ({ hits, remembered, entities }: Statistics): number => hits ?? remembered ?? entities;

/** Cost of a visit to a reader thread, in look-ups. */
const visit = 100;
/** Places of an order that are passed in the time of one look-up. */
const placesForOne = 4;

const entriesIn = ({ limit, offset }: PageQuery): number => limit + offset;
const hasPage = ({ limit }: PageQuery): true | string => limit > 0 || 'Expected a page with entries';
/** Total of a page whose hits are known, up to those that can be sorted. */
const askedOf = ({ counts }: Pick<PageQuery, 'counts'>, hits: number | undefined): Partial<Total> =>
  counts && hits !== undefined ? { hits, ...(counts !== true && hits > maxSorted && { mayBeMore: true }) } : {};
const isCheap = ({ sort }: PageQuery): boolean => sort.every(({ cheap }) => cheap);

/** Whether the page has entities of one kind without timespans, the newest first. */
const isNewestFirst = ({ plan, sort, timed, after: from }: PageQuery): boolean =>
  sort.length === 0 && timed.length === 0 && !from?.ascending && plan.kind !== 'both';
const newestFirst = 'Expected entities of one kind without timespans, the newest first';

const list: Strategy = {
  name: 'list',
  fits: ({ isListed }) => isListed || 'Expected neither criteria nor an order',
  cost: entriesIn,
  async run(reader, { viewer, plan, cursor, counts, limit, offset }) {
    const kind = plan.kind as IndexedKind;
    const below = belowOf(cursor);
    const { hits, ids } = await listEntities(reader, viewer, kind, {
      ...{ offset, limit, below },
      counts: counts !== false,
    });
    return plainPage(kind, ids, hits === undefined ? {} : { hits });
  },
};

const count: Strategy = {
  name: 'count',
  fits: ({ limit }) => limit === 0 || 'Expected a page without entries',
  cost: (_, statistics) => hitsIn(statistics) / placesForOne,
  async run(reader, { plan, timed, counts }) {
    const rows = () => [];
    return counts ? { ...(await totalOf(reader, plan, counts, timed.length)), rows } : { rows };
  },
};

/** Words are in order, so that without a total only the page is read. */
const isPageOfWord = ({ plan, counts }: PageQuery): boolean => !counts && plan.match !== undefined;

const atOnce = (name: string, isWord: boolean, read: AtOnce): Strategy => ({
  name,
  fits(query, { readsAtOnce, remembered = 0 }) {
    const { single, match } = query.plan;
    if (!single || (match !== undefined) !== isWord) return `Expected one ${isWord ? 'word' : 'range'} as criteria`;
    if (single.key === undefined) return 'Expected a short criterion';
    if (!readsAtOnce) return 'Expected a database in this process';
    if (!isNewestFirst(query)) return newestFirst;
    if (query.limit <= 0 || entriesIn(query) > maxQuick) return `Expected a page within the first ${maxQuick} hits`;
    if (!isPageOfWord(query) && remembered > maxLooked) return `Expected at most ${maxLooked} hits or places before`;
    return true;
  },
  cost: (query, statistics) => Math.min(hitsIn(statistics), maxLooked) / placesForOne + entriesIn(query),
  async run(reader, query) {
    const result = await read(reader, query.plan, query, isPageOfWord(query));
    if (result === undefined) return { because: 'Expected pages in memory, and no deletion meanwhile' };
    if (result === 'many') {
      return { because: `Expected at most ${maxLooked} hits or places`, learned: { remembered: maxLooked + 1 } };
    }
    return plainPage(query.plan.kind as IndexedKind, result.ids, askedOf(query, result.hits));
  },
});

const rangePlaces: Strategy = {
  name: 'range by places',
  fits(query) {
    if (!query.plan.single || query.plan.match !== undefined) return 'Expected one range as criteria';
    return isNewestFirst(query) ? hasPage(query) : newestFirst;
  },
  cost: (query, statistics) => visit + hitsIn(statistics) / placesForOne + entriesIn(query),
  async run(reader, query) {
    const { hits, ids } = await rangeByPlaces(reader, query.plan, query);
    return plainPage(query.plan.kind as IndexedKind, ids, askedOf(query, hits));
  },
};

const page = (reader: LimitedReader, query: PageQuery, isReadable = false) => {
  const { counts, cursor, plan } = query;
  const isTold = counts !== false && cursor === undefined;
  return pageAndHits(reader, plan, query, { counts, isTold, list: isReadable ? plan.readableList?.() : undefined });
};

const readableItems: Strategy = {
  name: 'readable items',
  fits(query) {
    if (query.counts === false) return 'Expected a total';
    if (!isNewestFirst(query) || hasPage(query) !== true) return newestFirst;
    return query.plan.readableList?.() !== undefined || 'Expected words, and a caller who may not read all items';
  },
  cost: (query, statistics) => visit + hitsIn(statistics) / 2 + entriesIn(query),
  run: (reader, query) => page(reader, query, true),
};

const cheapOrder: Strategy = {
  name: 'cheap order',
  fits(query) {
    if (query.isListed && query.cursor !== undefined) return 'Expected a cursor of a search, not of a list';
    return isCheap(query) ? hasPage(query) : 'Expected no order, or one of times and ids';
  },
  cost: (query, statistics) => visit + hitsIn(statistics) + entriesIn(query),
  run: (reader, query) => page(reader, query),
};

const orderBesideCount: Strategy = {
  name: 'order beside count',
  fits(query, { hits, entities, isOrdered }) {
    const { sort, timed, counts, cursor, limit } = query;
    if (isCheap(query) || sort.length !== 1 || !isOrdered) return 'Expected one sort field with an ordered index';
    if (hits !== undefined) return 'Expected no number of hits';
    if (entities > maxSorted) return `Expected at most ${maxSorted} entities`;
    return (
      (counts !== false && cursor === undefined && limit > 0 && timed.length === 0) ||
      'Expected a first page with a total'
    );
  },
  cost: (query, statistics) => visit + walkCost(entriesIn(query), statistics.entities, hitsIn(statistics)),
  async run(reader, { plan, order, limit, offset, counts }, { entities }) {
    const page = { limit, offset, counts: counts as Exclude<Counting, false> };
    const { total, rows } = await pageAndHitsInOrder(reader, plan, order, page, entities);
    if (rows) return { ...reached(total, offset, rows.length), rows: () => rows };
    const because = 'Expected many hits, and a value in each';
    return total.mayBeMore ? { because } : { because, learned: { hits: total.hits } };
  },
};

const sorted: Strategy = {
  name: 'sort',
  needsHits: true,
  fits(query, { hits }) {
    if (isCheap(query) || query.limit === 0) return 'Expected a page with entries, in an order of values';
    return (hits ?? 0) <= maxSorted || `Expected at most ${maxSorted} hits`;
  },
  cost: (_, statistics) => visit + hitsIn(statistics),
  async run(reader, query, { hits }) {
    const rows = await pageOf(reader, query.plan, query, query.cursor !== undefined);
    return { ...askedOf(query, hits), rows: () => rows };
  },
};

const order: Strategy = {
  name: 'order',
  needsHits: true,
  fits(query, { isOrdered }) {
    if (isCheap(query) || !isOrdered) return 'Expected a sort field with an ordered index';
    return (query.timed.length === 0 && query.limit > 0) || 'Expected a page without timespans';
  },
  cost: (query, statistics) => visit + walkCost(entriesIn(query), statistics.entities, hitsIn(statistics)),
  async run(reader, { plan, order: by, limit, offset, position, cursor, counts }, { hits }) {
    const withKeys = cursor !== undefined;
    const rows = await walkedPage(reader, plan, by, hits!, { limit, offset, position, withKeys });
    return { ...askedOf({ counts }, hits), rows: () => rows };
  },
};

/** All strategies. The planner takes the one with the lowest cost; of equal ones, the first. */
export const strategies: readonly Strategy[] = [
  list,
  count,
  atOnce('word at once', true, wordAtOnce),
  atOnce('range at once', false, rangeAtOnce),
  rangePlaces,
  readableItems,
  cheapOrder,
  orderBesideCount,
  sorted,
  order,
];
