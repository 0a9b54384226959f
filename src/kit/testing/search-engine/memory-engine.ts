import type {
  EngineAnswer,
  EngineBatch,
  EngineDocument,
  EngineFacet,
  EngineKey,
  EngineQuery,
  EngineSort,
  EngineValue,
  SearchEngine,
} from '../../../spi/index.ts';
import { compareValues, isBetween, meets, phrasesMet, valuesIn } from './conditions.ts';

export interface MemorySearchEngine extends SearchEngine {
  /** Documents that searches see, by id. */
  readonly documents: ReadonlyMap<number, EngineDocument>;
  /** Queries so far. */
  readonly queries: readonly EngineQuery[];
  /** Error of all calls, as of an engine that cannot be reached. Undefined: all is well. */
  failure: Error | undefined;
  /** Answer of `can` about all queries. */
  answers: true | string;
}

interface MemoryIndex {
  position: number;
  readonly documents: Map<number, EngineDocument>;
  /** Positions of deleted entities. */
  readonly deleted: Map<number, number>;
}

const emptyIndex = (): MemoryIndex => ({ position: 0, documents: new Map(), deleted: new Map() });

/** A search engine in memory, for tests: it keeps the whole contract, and looks at every document. */
export function memorySearchEngine(name = 'memory'): MemorySearchEngine {
  let current: MemoryIndex | undefined;
  let next: MemoryIndex | undefined;
  const queries: EngineQuery[] = [];

  function check(): void {
    if (engine.failure) throw engine.failure;
  }

  const engine: MemorySearchEngine = {
    name,
    queries,
    failure: undefined,
    answers: true,
    get documents() {
      return current?.documents ?? new Map<number, EngineDocument>();
    },

    async state() {
      check();
      return {
        position: current?.position ?? 0,
        isBuilding: next !== undefined,
        documents: current?.documents.size ?? 0,
        says: 'A search engine in memory',
      };
    },

    async begin() {
      check();
      next = emptyIndex();
    },

    async finish() {
      check();
      if (!next) throw new Error('Expected a second index: there is none');
      [current, next] = [next, undefined];
    },

    async apply(batch) {
      check();
      for (const index of [current, next]) if (index) applyTo(index, batch);
    },

    can: () => engine.answers,

    async search(query, signal) {
      signal?.throwIfAborted();
      check();
      queries.push(query);
      return answerTo(current ?? emptyIndex(), query);
    },

    async words({ where, start, max }, signal) {
      signal?.throwIfAborted();
      check();
      const counts = new Map<string, number>();
      for (const document of (current ?? emptyIndex()).documents.values())
        if (meets(document, where))
          for (const word of wordsIn(document))
            if (word.startsWith(start)) counts.set(word, (counts.get(word) ?? 0) + 1);
      const order = ([one, a]: [string, number], [other, b]: [string, number]) => b - a || compareValues(one, other);
      return [...counts]
        .toSorted(order)
        .slice(0, max)
        .map(([word]) => word);
    },
  };
  return engine;
}

function applyTo(index: MemoryIndex, { position, upserts, deletes }: EngineBatch): void {
  const { documents, deleted } = index;
  const isOlder = (id: number, at: number) => at < (documents.get(id)?.position ?? deleted.get(id) ?? 0);
  for (const document of upserts) {
    if (isOlder(document.id, document.position)) continue;
    documents.set(document.id, structuredClone(document));
    deleted.delete(document.id);
  }
  for (const { id, position: at } of deletes) {
    if (isOlder(id, at)) continue;
    documents.delete(id);
    deleted.set(id, at);
  }
  index.position = Math.max(index.position, position);
}

const wordsIn = ({ untimed, inTime }: EngineDocument): ReadonlySet<string> =>
  new Set(`${untimed.words} ${inTime.words}`.split(' ').filter((word) => word !== '' && word !== '_gap'));

interface Ranked {
  readonly document: EngineDocument;
  readonly keys: readonly EngineKey[];
}

function answerTo({ documents, position }: MemoryIndex, query: EngineQuery): EngineAnswer {
  const { where, sort, after, offset, limit, counts, facets } = query;
  const all = [...documents.values()];
  const matches = all.filter((document) => meets(document, where));
  const order = (one: readonly EngineKey[], other: readonly EngineKey[]) => compareKeys(one, other, sort);
  const ranked = matches
    .map((document): Ranked => ({ document, keys: sort.map((each) => keyOf(document, each, query)) }))
    .filter(({ keys }) => after === undefined || order(keys, after) > 0)
    .toSorted((one, other) => order(one.keys, other.keys));
  return {
    position,
    hits: counts ? matches.length : undefined,
    page: ranked.slice(offset, offset + limit).map(({ document: { id, entityId }, keys }) => ({ id, entityId, keys })),
    facets: facets.map((facet) => {
      const own = facet.where;
      return facetOf(own ? all.filter((document) => meets(document, own)) : matches, facet);
    }),
  };
}

function keyOf(document: EngineDocument, { by, descending }: EngineSort, { where, boosts }: EngineQuery): EngineKey {
  if (by === 'id' || by === 'created') return document[by];
  if (by === 'relevance')
    return boosts.reduce(
      (score, boost) => score + (meets(document, boost.where) ? boost.by : 0),
      phrasesMet(document, where),
    );
  const values = valuesIn(document, by)
    .map(({ value, folded }) => folded ?? value)
    .toSorted(compareValues);
  return (descending ? values.at(-1) : values[0]) ?? null;
}

function compareKeys(one: readonly EngineKey[], other: readonly EngineKey[], sort: readonly EngineSort[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const [a, b] = [one[index] ?? null, other[index] ?? null];
    if (a === null && b === null) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const order = compareValues(a, b);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function facetOf(documents: readonly EngineDocument[], facet: EngineFacet): EngineAnswer['facets'][number] {
  if (facet.is === 'conditions')
    return facet.of.map((each) => ({ count: documents.filter((document) => meets(document, each)).length }));
  const { field } = facet;
  if (facet.is === 'ranges')
    return facet.ranges.map((range) => ({
      count: documents.filter((each) => valuesIn(each, field).some(({ value }) => isBetween(value, range))).length,
    }));
  const counts = new Map<string, { readonly value: EngineValue; count: number }>();
  for (const document of documents) {
    for (const text of new Map(valuesIn(document, field).map(({ value }) => [String(value), value]))) {
      const entry = counts.get(text[0]);
      if (entry) entry.count++;
      else counts.set(text[0], { value: text[1], count: 1 });
    }
  }
  return [...counts.values()]
    .filter(({ count }) => count >= facet.least)
    .toSorted((one, other) => other.count - one.count || compareValues(one.value, other.value))
    .slice(0, facet.max);
}
