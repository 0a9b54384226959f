import type {
  EngineAnswer,
  EngineFacet,
  EngineField,
  EngineKey,
  EngineQuery,
  EngineSort,
  EngineValue,
  EngineWords,
} from '../../../src/spi/index.ts';
import type { Client } from './client.ts';
import { facetRangeDsl, filterDsl, leastLong, maxLong, scoredDsl } from './conditions.ts';
import { type Dsl, scoreless } from './dsl.ts';
import { fieldNames, positionId, writtenValue } from './fields.ts';
import type { Indexes } from './indexes.ts';
import { EngineRefusal, type ErrorBody, passes, refusal, typeOf } from './refusals.ts';

type Body = Readonly<Record<string, unknown>>;

/** Hits of a request, skipped ones included. */
export const maxHits = 10_000;
/** Attempts of a search while indexes are swapped. */
const attempts = 3;
const notPosition = { term: { _id: positionId } };
/** Facet values of a shard beyond those that are wanted, so that sums of shards are right. */
const spare = 1_000;

const isRelevance = ({ by }: EngineSort): boolean => by === 'relevance';

/** Query without the document of the position. */
export function queryDsl({ where, boosts, sort }: EngineQuery): Dsl {
  const must_not = [notPosition];
  if (!sort.some(isRelevance)) return { bool: { filter: [filterDsl(where)], must_not } };
  const should = boosts.map((boost) => scoreless(filterDsl(boost.where), boost.by));
  return { bool: { must: [scoredDsl(where)], ...(should.length > 0 && { should }), must_not } };
}

const facetQuery = (where: NonNullable<EngineFacet['where']>): Dsl => ({
  bool: { filter: [filterDsl(where)], must_not: [notPosition] },
});

interface SearchParts {
  readonly body: Body;
  /** Bodies for facets with criteria of their own. */
  readonly beside: readonly Body[];
}

/** Requests of a query: the search, and one for each set of criteria of facets. */
function searchParts(query: EngineQuery, timeout: number): SearchParts {
  const own = query.facets.map((facet, index) => ({ facet, name: `f${index}` }));
  const plainFacets = own.filter(({ facet }) => facet.where === undefined);
  const groups = new Map<string, { readonly where: Dsl; readonly members: (typeof own)[number][] }>();
  for (const each of own) {
    if (each.facet.where === undefined) continue;
    const where = facetQuery(each.facet.where);
    const key = JSON.stringify(where);
    const group = groups.get(key);
    if (group) group.members.push(each);
    else groups.set(key, { where, members: [each] });
  }
  const base = { _source: false, timeout: `${timeout}ms` };
  const { after, offset, limit, counts, sort } = query;
  return {
    body: {
      ...base,
      query: queryDsl(query),
      // Pages behind keys have no offset of the engine's.
      ...(after === undefined
        ? { from: offset, size: limit }
        : { size: offset + limit, search_after: after.map((key, index) => writtenKey(key, sort[index]!)) }),
      sort: sort.map(sortDsl),
      track_total_hits: counts,
      docvalue_fields: ['entity'],
      ...aggregations(plainFacets),
    },
    beside: [...groups.values()].map(({ where, members }) => ({
      ...base,
      ...{ query: where, size: 0, track_total_hits: false },
      ...aggregations(members),
    })),
  };
}

function sortDsl({ by, descending }: EngineSort): Body {
  const order = descending ? 'desc' : 'asc';
  if (by === 'relevance') return { _score: { order } };
  if (by === 'created' || by === 'id') return { [by]: { order } };
  const type = by.type === 'text' ? 'keyword' : by.type === 'integer' ? 'long' : 'double';
  const mode = descending ? 'max' : 'min';
  return { [fieldNames(by).sorted]: { order, mode, missing: '_last', unmapped_type: type } };
}

/** Missing numbers sort as the last ones that the type has. */
const missingKeys = {
  integer: { up: maxLong, down: leastLong },
  decimal: { up: 'Infinity', down: '-Infinity' },
} as const;

const missingKey = ({ type }: EngineField, descending: boolean) =>
  type === 'text' ? undefined : missingKeys[type][descending ? 'down' : 'up'];

function writtenKey(key: EngineKey, { by, descending }: EngineSort): string | number | null {
  if (key !== null) return writtenValue(key);
  const missing = typeof by === 'string' ? undefined : missingKey(by, descending);
  return missing === undefined ? null : writtenValue(missing);
}

function readKey(key: unknown, { by, descending }: EngineSort): EngineKey {
  const isMissing = key === null || key === undefined || (typeof by !== 'string' && key === missingKey(by, descending));
  return isMissing ? null : (key as EngineValue);
}

function aggregations(facets: readonly { readonly facet: EngineFacet; readonly name: string }[]): Body {
  const parts = facets.flatMap(({ facet, name }) => {
    const body = aggregation(facet);
    return body === undefined ? [] : [[name, body]];
  });
  return parts.length === 0 ? {} : { aggs: Object.fromEntries(parts) };
}

function aggregation(facet: EngineFacet): Body | undefined {
  if (facet.is === 'conditions')
    return facet.of.length === 0 ? undefined : { filters: { filters: facet.of.map(filterDsl) } };
  if (facet.is === 'ranges') {
    if (facet.ranges.length === 0) return undefined;
    return { filters: { filters: facet.ranges.map((range) => facetRangeDsl(facet.field, range)) } };
  }
  const { field, least, max } = facet;
  return max < 1 ? undefined : valueTerms(fieldNames(field).all, { least, max });
}

const valueTerms = (field: string, { least, max }: { readonly least: number; readonly max: number }) => ({
  terms: {
    ...{ field, size: max, shard_size: max + spare },
    min_doc_count: Math.max(least, 1),
    order: [{ _count: 'desc' }, { _key: 'asc' }],
  },
});

interface Bucket {
  readonly key?: EngineValue;
  readonly doc_count: number;
}

interface Found {
  readonly error?: ErrorBody;
  readonly status?: number;
  readonly timed_out?: boolean;
  readonly hits: {
    readonly total?: { readonly value: number };
    readonly hits: readonly {
      readonly _id: string;
      readonly sort: readonly unknown[];
      readonly fields?: { readonly entity?: readonly string[] };
    }[];
  };
  readonly aggregations?: Readonly<Record<string, { readonly buckets: readonly Bucket[] }>>;
}

interface SearchOptions {
  /** Milliseconds of a search. */
  readonly timeout: number;
  readonly digest: (text: string) => string;
}

/** Answers queries from the index for searches. */
export function createSearch(client: Client, indexes: Indexes, { timeout, digest }: SearchOptions) {
  /** Query with the keys of the hit before its page, instead of an offset beyond the window. */
  async function behind(
    query: EngineQuery,
    index: string,
    copies: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EngineQuery> {
    if (query.offset + query.limit <= maxHits) return query;
    let { after, offset } = query;
    while (offset > 0) {
      const step = { ...query, ...(after && { after }), offset: 0, limit: Math.min(offset, maxHits) };
      const { body } = searchParts({ ...step, counts: false, facets: [] }, timeout);
      const result = await one(index, body, copies, signal);
      expectWhole(result);
      const last = result.hits.hits.at(-1);
      if (last) after = query.sort.map((each, at) => readKey(last.sort[at], each));
      // The page lies behind the last hit.
      if (result.hits.hits.length < step.limit) break;
      offset -= step.limit;
    }
    return { ...query, ...(after && { after }), offset: 0 };
  }

  async function once(query: EngineQuery, signal: AbortSignal | undefined): Promise<EngineAnswer> {
    // The position is read first, and then that index alone: what the page shows is never older.
    const searched = await indexes.searched(signal);
    if (!searched) throw refusal(404, 'index_not_found_exception');
    // Pages of one search come from the same copies of shards, whose scores are equal.
    const copies = query.sort.some(isRelevance) ? digest(JSON.stringify(queryDsl(query))).slice(0, 16) : undefined;
    const paged = await behind(query, searched.index, copies, signal);
    const { body, beside } = searchParts(paged, timeout);
    const results: readonly Found[] =
      beside.length === 0
        ? [await one(searched.index, body, copies, signal)]
        : await many(searched.index, [body, ...beside], copies, signal);
    for (const each of results) expectWhole(each);
    return { ...answerOf(paged, results), position: searched.position };
  }

  async function one(index: string, body: Body, copies: string | undefined, signal: AbortSignal | undefined) {
    const words = `allow_partial_search_results=false${copies === undefined ? '' : `&preference=${copies}`}`;
    return (await client.ask({ method: 'POST', path: `/${index}/_search?${words}`, body, signal })).body as Found;
  }

  async function many(
    index: string,
    bodies: readonly Body[],
    copies: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    const head = JSON.stringify({ allow_partial_search_results: false, ...(copies && { preference: copies }) });
    const body = bodies.map((each) => `${head}\n${JSON.stringify(each)}\n`).join('');
    const answer = await client.ask({ method: 'POST', path: `/${index}/_msearch`, body, signal });
    return answer.body.responses as readonly Found[];
  }

  async function wordsOnce({ where, start, max }: EngineWords, signal: AbortSignal | undefined) {
    const searched = await indexes.searched(signal);
    if (!searched) throw refusal(404, 'index_not_found_exception');
    const { terms } = valueTerms('w', { least: 1, max });
    const body = {
      ...{ _source: false, timeout: `${timeout}ms`, size: 0, track_total_hits: false },
      query: facetQuery(where),
      aggs: { words: { terms: { ...terms, include: `${start.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')}.*` } } },
    };
    const result = await one(searched.index, body, undefined, signal);
    expectWhole(result);
    return (result.aggregations?.['words']?.buckets ?? []).map(({ key }) => String(key));
  }

  async function whileSwapped<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === attempts || !wasSwapped(error)) throw error;
      }
    }
  }

  return {
    search: (query: EngineQuery, signal?: AbortSignal): Promise<EngineAnswer> =>
      whileSwapped(() => once(query, signal)),
    words: (query: EngineWords, signal?: AbortSignal): Promise<readonly string[]> =>
      whileSwapped(() => wordsOnce(query, signal)),
  };
}

function expectWhole({ error, status = 500, timed_out: isLate }: Found): void {
  if (error) throw refusal(status, typeOf(error));
  if (isLate) throw refusal(504, undefined, ' in time');
}

/** The index may have been replaced, and dropped, amid the search. */
const wasSwapped = (error: unknown): boolean =>
  error instanceof EngineRefusal &&
  error.status !== 0 &&
  (error.status === 404 || (passes(error.status, error.type) && error.status >= 500));

function answerOf(query: EngineQuery, results: readonly Found[]): Omit<EngineAnswer, 'position'> {
  const { sort, after, offset, limit, counts, facets } = query;
  const [{ hits }] = results as readonly [Found, ...Found[]];
  const page = after === undefined ? hits.hits : hits.hits.slice(offset, offset + limit);
  const buckets = Object.assign({}, ...results.map(({ aggregations: each }) => each)) as NonNullable<
    Found['aggregations']
  >;
  return {
    hits: counts ? hits.total!.value : undefined,
    page: page.map(({ _id, sort: keys, fields }) => ({
      id: Number(_id),
      entityId: fields?.entity?.[0] ?? '',
      keys: sort.map((each, index) => readKey(keys[index], each)),
    })),
    facets: facets.map((_, index) =>
      (buckets[`f${index}`]?.buckets ?? []).map(({ key, doc_count: count }) =>
        key === undefined ? { count } : { value: key, count },
      ),
    ),
  };
}
