import type { Maybe } from '../../../core/lib/maybe.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { PageAndHits } from '../query/rows/page.ts';
import type { Paged, Plan } from '../query/rows/store.ts';
import type { SortOrder, SortPosition } from '../query/sorting.ts';
import type { Viewer } from '../viewer.ts';

/** Page of a search whose names are resolved. */
export interface PageQuery extends Paged {
  readonly plan: Plan;
  readonly viewer: Viewer;
  readonly order: SortOrder;
  /** Whether the total is needed. */
  readonly counts: boolean;
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
