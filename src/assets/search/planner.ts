import type { LimitedReader } from '../../core/store/statement.ts';
import { entitiesOf, type IndexState } from './query/index-state.ts';
import type { PageAndHits } from './query/page.ts';
import { maxLooked } from './query/quick-sql.ts';
import { badSearch } from './query/refusals.ts';
import { countOf } from './query/total-sql.ts';
import { isOrdered, maxSorted } from './query/walk.ts';
import { hitsIn, type PageQuery, type Statistics, type Strategy, strategies } from './strategies.ts';

/** Numbers of hits or places that searches of single conditions met. */
const remembered = new Map<string, number>();
const maxRemembered = 1000;

/** Number that an earlier search of the same single condition met. */
const hitsBefore = ({ plan: { single } }: Pick<PageQuery, 'plan'>): number | undefined =>
  single?.key === undefined ? undefined : remembered.get(single.key);

/** Keeps the number for later searches. A large one stays: places of the other kind are no hits, but are read. */
export function keepHits({ plan: { single } }: Pick<PageQuery, 'plan'>, hits: number | undefined): void {
  if (single?.key === undefined || hits === undefined || remembered.get(single.key)! > maxLooked) return;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(single.key, hits);
}

/** Verdict on one strategy: its cost, or why it is refused. */
interface Candidate {
  readonly name: string;
  readonly cost?: number;
  readonly refusal?: string;
}

export interface Planned {
  readonly page: PageAndHits;
  readonly strategy: string;
  /** Number of hits that the planner expected. */
  readonly estimate: number;
  readonly candidates: () => readonly Candidate[];
}

/** Finds a page by the strategy with the lowest cost. `names`: only these strategies, where one of them fits. */
export async function findPage(
  reader: LimitedReader,
  query: PageQuery,
  initial: Statistics,
  names?: readonly string[],
): Promise<Planned> {
  const gaveUp = new Map<string, string>();
  let statistics = initial;
  for (;;) {
    const strategy = cheapest(query, statistics, gaveUp, names) ?? cheapest(query, statistics, gaveUp);
    if (strategy === undefined) throw notSortable(query);
    if (strategy.needsHits && statistics.hits === undefined) {
      statistics = { ...statistics, hits: await countHits(reader, query) };
      continue;
    }
    const outcome = await strategy.run(reader, query, statistics);
    if (!('because' in outcome)) {
      keepHits(query, outcome.hits);
      const { name } = strategy;
      return {
        page: outcome,
        strategy: name,
        estimate: hitsIn(initial),
        candidates: () => candidatesOf(query, statistics, gaveUp),
      };
    }
    gaveUp.set(strategy.name, outcome.because);
    statistics = { ...statistics, ...outcome.learned };
    keepHits(query, outcome.learned?.remembered);
  }
}

type GaveUp = ReadonlyMap<string, string>;

/** Fitting strategy with the lowest cost. Of equal costs, the first of the list. */
export function cheapest(
  query: PageQuery,
  statistics: Statistics,
  gaveUp: GaveUp = new Map(),
  names?: readonly string[],
): Strategy | undefined {
  let best: Strategy | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const strategy of strategies) {
    if (gaveUp.has(strategy.name) || names?.includes(strategy.name) === false) continue;
    if (strategy.fits(query, statistics) !== true) continue;
    const cost = strategy.cost(query, statistics);
    if (cost >= lowest) continue;
    best = strategy;
    lowest = cost;
  }
  return best;
}

const candidatesOf = (query: PageQuery, statistics: Statistics, gaveUp: GaveUp): readonly Candidate[] =>
  strategies.map((strategy) => {
    const { name } = strategy;
    const refusal = gaveUp.get(name) ?? strategy.fits(query, statistics);
    return refusal === true ? { name, cost: Math.ceil(strategy.cost(query, statistics)) } : { name, refusal };
  });

/** Counts hits before an order that is not cheap. Without a whole total, only as far as they can be sorted. */
const countHits = async (reader: LimitedReader, { plan, timed, counts }: PageQuery): Promise<number> =>
  (await countOf(reader, plan, counts === true ? undefined : maxSorted + 1)) + timed.length;

function notSortable({ timed, order }: PageQuery) {
  const fields = (JSON.parse(order.signature) as [string, boolean][]).map(([field]) => field).join(', ');
  const remedy =
    timed.length > 0 ? '"generic" as intervals sorts' : 'a field that is "sortable", "created" and "itemId" sort';
  return badSearch('sort', `Expected at most ${maxSorted} hits to sort by "${fields}": ${remedy} any number`);
}

/** Figures of a query before anything is read. */
export const statisticsOf = (reader: LimitedReader, query: PageQuery, index: IndexState): Statistics => ({
  entities: entitiesOf(index, query.plan.kind),
  isOrdered: isOrdered(query.order, index),
  readsAtOnce: reader.bounded !== undefined,
  remembered: hitsBefore(query),
});
