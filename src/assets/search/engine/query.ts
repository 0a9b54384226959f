import type { LimitedReader } from '../../../core/store/statement.ts';
import type {
  EngineAnswer,
  EngineCondition,
  EngineFacet,
  EngineHit,
  EngineKey,
  EngineQuery,
  EngineSort,
  EngineWords,
  SearchEngine,
} from '../../../spi/index.ts';
import type { Viewer } from '../../access/public-reading.ts';
import type { SearchFacet } from '../documents.ts';
import { rangeOfFacet, rangesOfFacet, valuesOfFacet } from '../query/facets.ts';
import type { Names } from '../query/names.ts';
import type { SortTerm } from '../query/page.ts';
import type { SortOrder, SortPosition } from '../query/sorting.ts';
import { allOf, closedIn, NotForEngine, notOf } from './conditions.ts';
import { engineField, factField } from './documents.ts';

/** Search of one caller that an engine answers. `ask`: asks the engine. */
export interface EngineSearch {
  readonly reader: LimitedReader;
  readonly viewer: Viewer;
  /** Whether changes wait for the engine. */
  readonly isBehind: boolean;
  readonly engine: SearchEngine;
  /** True: nothing but the engine has an index. */
  readonly isAlone?: boolean;
  ask(query: EngineQuery): Promise<EngineAnswer>;
  /** Asks it for words. */
  words(query: EngineWords): Promise<readonly string[]>;
}

/** Asks an engine what it can answer. Throws `NotForEngine` otherwise. */
export async function askAble({ engine, ask }: EngineSearch, query: EngineQuery): Promise<EngineAnswer> {
  const able = engine.can(query);
  if (able !== true) throw new NotForEngine(able);
  return ask(query);
}

/** Hits of one query, where all are wanted. */
export const engineSlice = 5000;

/** Hits of an answer, and those behind it by the same query, a slice at a time. */
export async function* pagesFrom(
  { ask }: EngineSearch,
  query: EngineQuery,
  { page }: EngineAnswer,
): AsyncGenerator<readonly EngineHit[]> {
  for (let hits = page; ; ) {
    yield hits;
    if (hits.length < query.limit) return;
    ({ page: hits } = await ask({ ...query, after: hits.at(-1)!.keys, counts: false, facets: [] }));
  }
}

/** Signature of an order by relevance: engines have scores of their own, so cursors of others do not fit. */
export const engineOrder = (order: SortOrder): SortOrder =>
  order.terms.some(({ by }) => by === 'relevance') ? { ...order, signature: `${order.signature} engine` } : order;

/** Whether the database has some keys of an order. */
export const isByDatabase = ({ terms }: SortOrder): boolean => terms.some((term) => sortBy(term) === undefined);

/** Sort keys of an order in documents, the last of which no two entities share. */
export const engineSort = ({ terms, ascending }: SortOrder): readonly EngineSort[] => [
  ...terms.flatMap((term) => sortBy(term) ?? []),
  { by: 'id', descending: !ascending },
];

/** Key of documents for a term. Undefined: the database has it. */
export function sortBy({ by, descending, fact, closed }: SortTerm): EngineSort | undefined {
  if (by === 'place') return undefined;
  if (by === 'fact') {
    const field = fact && factField(fact);
    return field && { by: field, descending };
  }
  if (closed) throw new NotForEngine('Expected an order of fields that are open to the caller in all entities');
  // Scores of the text index are the better the lower they are.
  if (by === 'relevance') return { by, descending: !descending };
  return { by: typeof by === 'string' ? by : engineField(by), descending };
}

export const engineKeys = ({ terms }: SortOrder, { keys, number }: SortPosition): readonly EngineKey[] => [
  ...keys.map((key, index) => (key === null || !terms[index]!.numeric ? key : numberOf(key))),
  number,
];

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** Query for a facet. Undefined: the caller learns no values of the field. `own`: criteria with its own filters. */
export function engineFacet(
  facet: SearchFacet,
  names: Names,
  where: EngineCondition,
  own: EngineCondition | undefined,
): EngineFacet | undefined {
  const form = names.field(facet.field);
  if (form === undefined) return undefined;
  const open = form.closed && notOf(closedIn(form.closed));
  const condition = open ? allOf([own ?? where, open]) : own;
  const field = engineField(form);
  const common = { field, ...(condition && { where: condition }) };
  const range = rangesOfFacet(facet);
  if (range.length === 0) {
    const { minCount, max } = valuesOfFacet(facet);
    return { ...common, is: 'values', least: Math.max(minCount, 1), max };
  }
  const ranges = range.map(({ start, end }) => {
    const { from, to } = rangeOfFacet(form, start, end);
    return { ...(from && { from }), ...(to && { to }) };
  });
  return { ...common, is: 'ranges', ranges };
}
