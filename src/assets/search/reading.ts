import type { LimitedReader } from '../../core/store/statement.ts';
import type { Reading } from '../../core/store/store.ts';
import { createProperties } from '../../identity/api-settings/public-reading.ts';
import { type AccessSubject, type Viewer, viewerFor } from '../access/public-reading.ts';
import type { AutocompleteResult, FoundTimespan } from '../items/public-reading.ts';
import type { AutocompleteRequest, ItemSearch, SearchPlan } from './documents.ts';
import { type Entry, find, type HitPage, type SearchOptions, type SearchPage } from './find.ts';
import { searchProperties } from './properties.ts';
import type { SearchKind } from './query/ast.ts';
import { autocompletesOf, embeddedWords, type SourceOf } from './query/autocomplete.ts';
import { facetsAsked, facetsOf } from './query/facets.ts';
import { highlightsOf } from './query/highlight.ts';
import type { Search } from './query/search.ts';
import { suggestionsOf } from './query/suggestions.ts';

/** Strategy of searches that a search engine answers. */
export const engineStrategy = 'engine';

interface Reads {
  serving: number;
  reader: number;
}

/** Reader that counts its reads by thread. */
function countReads(reader: LimitedReader): { readonly reader: LimitedReader; readonly reads: Reads } {
  const reads: Reads = { serving: 0, reader: 0 };
  const own = reader.isReaderThread ? 'reader' : 'serving';
  // Queries of a file leave the serving thread, where there are look-ups to stay on it.
  const query = reader.lookups ? 'reader' : own;
  const counted =
    <Given extends unknown[], Result>(thread: keyof Reads, read: (...values: Given) => Result) =>
    (...values: Given): Result => {
      reads[thread]++;
      return read(...values);
    };
  const { lookups, bounded, tally } = reader;
  return {
    reads,
    reader: {
      ...reader,
      read: counted(query, (...values) => reader.read(...values)),
      ...(lookups && { lookups: { read: counted(own, (...values) => lookups.read(...values)) } }),
      ...(bounded && { bounded: { ...bounded, read: counted(own, (...values) => bounded.read(...values)) } }),
      ...(tally && { tally: counted(query, (...values) => tally(...values)) }),
    },
  };
}

/** How a page was found. The caller adds the time. */
function explain(
  { hits, planned, search }: HitPage,
  reads: Reads,
  { isReaderThread }: LimitedReader,
  noEngine: string | undefined,
): SearchPlan {
  const engine: NonNullable<SearchPlan['candidate']> =
    noEngine === undefined ? [] : [{ name: engineStrategy, refusal: noEngine }];
  const candidate = [...engine, ...planned.candidates()];
  const fitting = candidate.filter(({ cost }) => cost !== undefined);
  const cost = fitting.find(({ name }) => name === planned.strategy)?.cost;
  return {
    strategy: planned.strategy,
    reason: `Its cost of ${cost} is the lowest of ${fitting.length}`,
    estimatedHits: planned.estimate,
    hits,
    thread: isReaderThread ? 'reader' : 'serving',
    servingReads: reads.serving,
    readerReads: reads.reader,
    cached: search.names.index.isCached,
    candidate,
  };
}

export interface SearchRequest {
  readonly asking: AccessSubject;
  readonly kind: SearchKind;
  readonly document: ItemSearch;
  readonly page: SearchPage;
  readonly options: SearchOptions;
  /** True: the answer has the plan of the search. */
  readonly explains?: true;
  /** Why no search engine answers, for the plan. */
  readonly noEngine?: string;
  /** Answer of a search engine. */
  readonly answered?: SearchAnswer;
  /** Parts of the answer by a search engine, where the database has the hits. */
  readonly extras?: Extras;
  /** Sentence on hits or counts that the answer may lack. */
  readonly warning?: string;
}

/** Parts of an answer other than the entries. */
export interface Extras {
  readonly facet: Awaited<ReturnType<typeof facetsOf>>;
  readonly suggestion: Awaited<ReturnType<typeof suggestionsOf>>;
  readonly autocomplete: readonly AutocompleteResult[];
}

export interface SearchAnswer extends Pick<HitPage, 'hits' | 'next'> {
  /** True: there may be more hits than that. */
  readonly moreHits?: true | undefined;
  /** Ids by entry. */
  readonly ids: readonly string[];
  /** Undefined: no timespans and a single kind. Ids alone cross to another thread faster. */
  readonly entries: readonly Entry[] | undefined;
  readonly extras: Extras;
  readonly plan: SearchPlan | undefined;
  /** Highlights by entry. */
  readonly highlights: readonly (readonly FoundTimespan[] | undefined)[] | undefined;
}

/** Suggestions of words and completions for a search. Most searches ask for none. */
export async function wordsBeside(
  reader: LimitedReader,
  viewer: Viewer,
  search: Search,
  sourceOf: SourceOf = async (names) => embeddedWords(reader, viewer, search.given.kind, names),
): Promise<Pick<Extras, 'suggestion' | 'autocomplete'>> {
  const { kind, search: document } = search.given;
  const { suggestion, autocomplete } = document;
  return {
    suggestion: suggestion ? await suggestionsOf(await sourceOf(search.names), kind, search, document) : [],
    autocomplete: autocomplete ? await autocompletesOf(reader, viewer, kind, autocomplete, sourceOf) : [],
  };
}

/** Highlights by entry, from their metadata. Undefined: the search asks for none. */
export async function highlightsBeside(
  reader: LimitedReader,
  viewer: Viewer,
  search: Search,
  entriesOf: () => readonly Entry[],
): Promise<SearchAnswer['highlights']> {
  const { highlight } = search.given.search;
  if (!highlight) return undefined;
  const entries = entriesOf();
  const spans = await highlightsOf(reader, viewer, entries, search, highlight);
  return entries.map((entry) => spans.get(entry));
}

/** Whether a search asks for more than hits, which only an index tells. */
export const hasExtras = ({ facet = [], suggestion, autocomplete = [] }: ItemSearch): boolean =>
  facet.length > 0 || suggestion !== undefined || autocomplete.length > 0;

const withoutExtras = ({ facet: _f, suggestion: _s, autocomplete: _a, ...criteria }: ItemSearch): ItemSearch =>
  criteria;

/** Extras without counts and words, while nothing has an index. */
export const noExtras = (document: ItemSearch): Extras => ({
  facet: facetsAsked(document).map(({ field, name }) => ({ field, ...(name !== undefined && { name }) })),
  suggestion: [],
  autocomplete: [],
});

/** Reads a page of hits with all other parts of the answer. */
export const searchReading: Reading<SearchRequest, SearchAnswer> = {
  name: 'search',
  // Highlighting scans the metadata of all hits: large items would block other requests.
  isLong: ({ document }) => document.highlight !== undefined,
  async run(ownReader, { asking, kind, document: asked, page, options, explains, noEngine, answered, ...given }) {
    if (answered) return answered;
    const document = given.extras ? withoutExtras(asked) : asked;
    const counting = explains && countReads(ownReader);
    const reader = counting ? counting.reader : ownReader;
    const viewer = await viewerFor(reader, asking);
    const property = createProperties(reader, searchProperties);
    const mergesGroups = async () => (await property('metadataGroupSearchStyle')) === 1;
    const result = await find(reader, viewer, kind, document, page, { mergesGroups, ...options });
    const { search, resolved, hits, next } = result;
    const moreHits = result.mayBeMore || undefined;
    const facet = document.facet ? await facetsOf(reader, search, document, resolved) : [];
    const extras = given.extras ?? { facet, ...(await wordsBeside(reader, viewer, search)) };
    const highlights = await highlightsBeside(reader, viewer, search, result.entries);
    const { ids = result.entries().map(({ id }) => id) } = result;
    const entries = result.ids && kind !== 'both' ? undefined : result.entries();
    const plan = counting && { ...explain(result, counting.reads, reader, noEngine), warning: given.warning };
    return { hits, moreHits, ids, entries, next, extras, highlights, plan };
  },
};

export interface AutocompleteInput {
  readonly asking: AccessSubject;
  readonly kind: SearchKind;
  readonly request: AutocompleteRequest;
}

export const autocompleteReading: Reading<AutocompleteInput, AutocompleteResult> = {
  name: 'autocomplete',
  async run(reader, { asking, kind, request }) {
    const [result] = await autocompletesOf(reader, await viewerFor(reader, asking), kind, [request]);
    return result!;
  },
};
