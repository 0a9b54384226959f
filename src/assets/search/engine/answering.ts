import type { FacetResult } from '../../../core/documents/shared-documents.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import { cursorBehind } from '../../../http/parameters/index.ts';
import { createProperties } from '../../../identity/api-settings/public-reading.ts';
import type {
  EngineAnswer,
  EngineCondition,
  EngineFacet,
  EngineHit,
  EngineKey,
  EngineQuery,
  SearchEngine,
} from '../../../spi/index.ts';
import { idsAmong, type Viewer } from '../../access/public-reading.ts';
import type { AutocompleteResult } from '../../items/public-reading.ts';
import type { SearchPlan } from '../documents.ts';
import { type Entry, type Prepared, prepareSearch } from '../find.ts';
import { kindOf } from '../index/keys.ts';
import { searchProperties } from '../properties.ts';
import { guarded } from '../query/access.ts';
import type { SearchKind } from '../query/ast.ts';
import { autocompletesOf, type SourceOf } from '../query/autocomplete.ts';
import type { Span } from '../query/evaluate.ts';
import { facetRange, facetsAsked, facetValue, factOfFacet, filtersOfFacet, rangesOfFacet } from '../query/facets.ts';
import type { Names } from '../query/names.ts';
import { readable as isReadable, numbersWhere } from '../query/rows-sql.ts';
import type { Filters, Search } from '../query/search.ts';
import { cursorText, positionIn, type SortOrder, type SortPosition } from '../query/sorting.ts';
import { entitiesAmong } from '../query/store.ts';
import {
  type AutocompleteInput,
  type Extras,
  engineStrategy,
  highlightsBeside,
  type SearchAnswer,
  type SearchRequest,
  wordsBeside,
} from '../reading.ts';
import { allOf, anyOf, EngineFailure, engineCondition, kindIs, NotForEngine, notOf, readableBy } from './conditions.ts';
import { waitingBehind } from './feed-sql.ts';
import { candidatesOf, decidedIn } from './lookups.ts';
import { askInOrder } from './ordering.ts';
import {
  askAble,
  type EngineSearch,
  engineFacet,
  engineKeys,
  engineOrder,
  engineSlice,
  engineSort,
  isByDatabase,
} from './query.ts';
import { engineWords } from './words.ts';

/** Names, criteria and order of a search for an engine. */
export function preparedFor(
  reader: LimitedReader,
  viewer: Viewer,
  { kind, document, page, options }: Pick<SearchRequest, 'kind' | 'document' | 'page' | 'options'>,
): Promise<Prepared> {
  const property = createProperties(reader, searchProperties);
  const mergesGroups = async () => (await property('metadataGroupSearchStyle')) === 1;
  return prepareSearch(reader, viewer, kind, document, page, { mergesGroups, ...options });
}

/** Answers a search by the engine. Throws `NotForEngine` where it cannot. */
export const answerByEngine = async (
  asked: EngineSearch,
  request: SearchRequest,
  prepared: Prepared,
): Promise<SearchAnswer> => (await pageByEngine(asked, request, prepared)).answer;

/** Facets and words of a search whose hits the database has. Throws `NotForEngine`. */
export async function extrasByEngine(asked: EngineSearch, kind: SearchKind, { search }: Prepared): Promise<Extras> {
  const hidden = await hiddenAmong(asked, search.names);
  const { where } = await resolvedBy(asked, search, hidden);
  const facets = await facetQueries(asked, search, where, hidden);
  const sort: EngineQuery['sort'] = [{ by: 'id', descending: true }];
  const queries = facets.flatMap((each) => each ?? []);
  const query = { where, boosts: [], sort, offset: 0, limit: 0, counts: false, facets: queries };
  const answer = queries.length > 0 ? await askAble(asked, query) : { facets: [] };
  return {
    facet: facetsIn(search, facets, answer),
    ...(await wordsBeside(asked.reader, asked.viewer, search, wordsOf(asked, kind))),
  };
}

/**
 * Answer, and the keys of the last entity before rights were checked. `all`: keys of the entity before the page, where all
 * are wanted.
 */
async function pageByEngine(
  asked: EngineSearch,
  { kind, page, explains }: Pick<SearchRequest, 'kind' | 'page' | 'explains'>,
  prepared: Prepared,
  all?: { readonly after: readonly EngineKey[] | undefined },
): Promise<{ readonly answer: SearchAnswer; readonly last: readonly EngineKey[] | undefined }> {
  const { reader, viewer, engine } = asked;
  const { search, cursor } = prepared;
  const order = engineOrder(prepared.order);
  if (isByDatabase(order) && !asked.isAlone) throw new NotForEngine('Expected an order of fields, times or ids');
  const hidden = await hiddenAmong(asked, search.names);
  const { where, spans } = await resolvedBy(asked, search, hidden);
  const position = positionIn(order, cursor);
  const offset = cursor === undefined ? Math.max(page.first - 1, 0) : 0;
  const { number } = page;
  const facets = await facetQueries(asked, search, where, hidden);
  const query: EngineQuery = {
    where,
    boosts: await boostsOf(asked, search),
    sort: engineSort(order),
    ...(position ? { after: engineKeys(order, position) } : all?.after && { after: all.after }),
    offset: spans.size > 0 ? 0 : offset,
    limit: spans.size > 0 ? offset + number : number,
    counts: page.counts !== false,
    facets: facets.flatMap((each) => each ?? []),
  };
  const answer = await (isByDatabase(order) ? askInOrder(asked, order, query) : askAble(asked, query));
  const candidates = [...(await begunBy(asked, order, position, spans)), ...answer.page];
  const whole = candidates.flatMap((hit) => entriesOf(hit, spans.get(hit.id), position));
  // All hits of a slice are wanted, also where they have more timespans than a page has entries.
  const shown = spans.size > 0 && !all ? whole.slice(offset, offset + number) : whole;
  const seen = new Set(await readable(asked, candidates));
  const entries = shown.filter(({ hit }) => seen.has(hit)).map(({ entry }) => entry);
  const inTime = [...spans.values()].reduce((sum, { length }) => sum + length - 1, 0);
  const result: SearchAnswer = {
    hits: answer.hits === undefined ? undefined : answer.hits + inTime - (candidates.length - seen.size),
    ids: entries.map(({ id }) => id),
    entries: kind === 'both' || spans.size > 0 ? entries : undefined,
    next: cursorBehind(cursor, shown, (last) => cursorText(order, positionOf(last))),
    extras: {
      facet: facetsIn(search, facets, answer),
      ...(await wordsBeside(reader, viewer, search, wordsOf(asked, kind))),
    },
    highlights: await highlightsBeside(reader, viewer, search, () => entries),
    plan: explains && planOf(engine, search, answer),
  };
  return { answer: result, last: answer.page.at(-1)?.keys };
}

/** Words of the engine where nothing else has an index. Undefined: those of the database. */
const wordsOf = (asked: EngineSearch, kind: SearchKind): SourceOf | undefined =>
  asked.isAlone
    ? async (names) => engineWords(asked, { kind, names, hidden: await hiddenAmong(asked, names) })
    : undefined;

/** Completions by an engine. */
export async function completeByEngine(
  asked: EngineSearch,
  { kind, request }: Pick<AutocompleteInput, 'kind' | 'request'>,
): Promise<AutocompleteResult> {
  const [result] = await autocompletesOf(asked.reader, asked.viewer, kind, [request], wordsOf(asked, kind));
  return result!;
}

/** Ids of all items that a search finds, up to a number. */
export async function allByEngine(asked: EngineSearch, prepared: Prepared, max: number): Promise<readonly string[]> {
  const request = { kind: 'item', page: { first: 1, number: engineSlice, counts: false } } as const;
  const ids = new Set<string>();
  let after: readonly EngineKey[] | undefined;
  do {
    const { answer, last } = await pageByEngine(asked, request, prepared, { after });
    for (const id of answer.ids) ids.add(id);
    after = last;
  } while (after && ids.size <= max);
  return [...ids];
}

interface HitEntry {
  readonly hit: EngineHit;
  readonly entry: Entry;
  /** Place among the matching timespans of the hit. Undefined: the hit itself. */
  readonly place: number | undefined;
}

/** Entries of a hit behind a position: itself, or its matching timespans. */
function entriesOf(
  hit: EngineHit,
  spans: readonly Span[] | undefined,
  position: SortPosition | undefined,
): readonly HitEntry[] {
  const { id, entityId } = hit;
  const entry = (start?: string, end?: string): Entry => ({ kind: kindOf(id), id: entityId, start, end });
  if (!spans) return [{ hit, entry: entry(), place: undefined }];
  const entries = spans.map(({ start, end }, place) => ({ hit, entry: entry(start, end), place }));
  return position?.number === id ? entries.slice((position.place ?? 0) + 1) : entries;
}

const positionOf = ({ hit, place }: HitEntry): Omit<SortPosition, 'signature'> => ({
  keys: hit.keys.slice(0, -1).map((key) => (key === null ? null : String(key))),
  number: hit.id,
  place,
});

/** Entity at whose timespan a cursor stands: the engine answers what is behind the whole entity. */
async function begunBy(
  { reader }: Seeing,
  order: SortOrder,
  position: SortPosition | undefined,
  spans: ReadonlyMap<number, unknown>,
): Promise<readonly EngineHit[]> {
  if (position?.place === undefined || !spans.has(position.number)) return [];
  const entities = await entitiesAmong(reader, { numbers: [position.number] });
  return entities.map((entity) => ({ ...entity, keys: engineKeys(order, position) }));
}

/** Values that the engine takes in one condition, besides others, and waiting changes of one read. */
const [maxHidden, slice] = [60_000, 2500];

/** Numbers of waiting entities that the caller may not read any more, or in which something may be closed by now. */
async function hiddenAmong(
  { reader, viewer, isBehind }: EngineSearch,
  { closed }: Pick<Names, 'closed'>,
): Promise<readonly number[]> {
  if (!isBehind) return [];
  const isOpen = (closed.fields ?? closed.shapes) === undefined;
  const hidden = new Set<number>();
  for (let position = 0; hidden.size <= maxHidden; ) {
    const changes = await waitingBehind(reader, { position, limit: slice });
    const numbers = new Set(changes.map(({ entity }) => entity));
    const seen = isOpen ? await numbersWhere(reader, [...numbers], isReadable(viewer, 'both')) : new Set<number>();
    for (const number of numbers) if (!seen.has(number)) hidden.add(number);
    if (changes.length < slice) return [...hidden];
    position = changes.at(-1)!.position;
    await yieldTurn();
  }
  // An administrator reads every entity, so those that wait were deleted and tell nothing new.
  if (viewer.administrator) return [...hidden].slice(0, maxHidden);
  throw new EngineFailure(`Expected at most ${maxHidden} changed entities that the caller may not read any more`);
}

type Seeing = Pick<EngineSearch, 'reader' | 'viewer'>;

/** Entities of a page that exist and that the caller may read. An engine may answer the number of one with the id of another. */
async function readable<E extends Pick<EngineHit, 'id' | 'entityId'>>(
  { reader, viewer }: Seeing,
  entities: readonly E[],
): Promise<readonly E[]> {
  const seen = new Set<E>();
  for (const kind of ['item', 'collection'] as const) {
    const own = entities.filter(({ id }) => kindOf(id) === kind);
    if (own.length === 0) continue;
    const ids = own.map(({ entityId }) => entityId);
    const open = new Set(await idsAmong(reader, viewer, kind, ids, 'READ'));
    for (const each of own) if (open.has(each.entityId)) seen.add(each);
  }
  return entities.filter((each) => seen.has(each));
}

/** Condition of a search with its scope and with what the caller may read. `spans`: of entities that match in time. */
async function resolvedBy(
  asked: EngineSearch,
  search: Search,
  hidden: readonly number[],
  filters?: Filters,
): Promise<{ readonly where: EngineCondition; readonly spans: ReadonlyMap<number, readonly Span[]> }> {
  const { intervals = 'all' } = search.given.search;
  const node = guarded(search.nodeOf(filters), search.names);
  const scope = scopeOf(asked, search, hidden);
  const input = { ...asked, kind: search.given.kind, names: search.names };
  const decided = await decidedIn(asked, search, node, scope);
  const plain: EngineCondition =
    intervals === 'timed' ? { is: 'none' } : await engineCondition(node, 'generic', { ...input, decided });
  const spans = new Map<number, readonly Span[]>();
  if (
    (asked.isAlone || search.names.index.isTimed) &&
    intervals !== 'generic' &&
    (intervals === 'timed' || node.is !== 'all')
  ) {
    const inTime = await engineCondition(node, intervals === 'all' ? 'both' : 'timed', { ...input, decided });
    const candidates = await candidatesOf(asked, allOf([scope, { is: 'timed' }, inTime, notOf(plain)]), 'intervals');
    await search.each(candidates, node, (evaluated, number) => {
      const matching = evaluated.spans(node, intervals === 'timed');
      if (matching.length > 0) spans.set(number, matching);
    });
  }
  const timed: EngineCondition = { is: 'number', of: 'id', among: [...spans.keys()] };
  return { where: allOf([scope, spans.size > 0 ? anyOf([plain, timed]) : plain]), spans };
}

function scopeOf({ viewer }: EngineSearch, search: Search, hidden: readonly number[]): EngineCondition {
  const { kind, collection, library, among } = search.given;
  const named = (of: 'collections' | 'libraries', id: string | undefined): readonly EngineCondition[] =>
    id === undefined ? [] : [{ is: 'name', of, among: [id] }];
  return allOf([
    kindIs(kind),
    readableBy(viewer),
    ...(search.holders?.map((each) => readableBy(each.viewer, each.level)) ?? [{ is: 'none' as const }]),
    ...named('collections', collection),
    ...named('libraries', library),
    ...(among === undefined
      ? []
      : [{ is: 'number' as const, of: 'id' as const, among: JSON.parse(among) as number[] }]),
    ...(hidden.length === 0 ? [] : [notOf({ is: 'number', of: 'id', among: hidden })]),
  ]);
}

const boostsOf = (asked: EngineSearch, search: Search): Promise<EngineQuery['boosts']> =>
  Promise.all(
    search.boosts.map(async ({ node, by }) => {
      const input = { ...asked, kind: search.given.kind, names: search.names, decided: new Map() };
      return { where: await engineCondition(guarded(node, search.names), 'both', input), by: by - 1 };
    }),
  );

/** Queries for the facets of a search, in its order. Undefined: the caller learns no values of the field. */
async function facetQueries(
  asked: EngineSearch,
  search: Search,
  where: EngineCondition,
  hidden: readonly number[],
): Promise<readonly (EngineFacet | undefined)[]> {
  const { search: document } = search.given;
  const facets: (EngineFacet | undefined)[] = [];
  for (const facet of facetsAsked(document)) {
    const isOfTables = search.names.field(facet.field) === undefined && factOfFacet(search.given.kind, facet);
    if (isOfTables) throw new NotForEngine(`Expected no facet of ${facet.field}`);
    const filters = filtersOfFacet(document, facet);
    const own = filters && (await resolvedBy(asked, search, hidden, filters));
    facets.push(engineFacet(facet, search.names, where, own?.where));
  }
  return facets;
}

function facetsIn(
  { names, given }: Search,
  asked: readonly (EngineFacet | undefined)[],
  { facets }: Pick<EngineAnswer, 'facets'>,
): readonly FacetResult[] {
  const answers = facets.values();
  return facetsAsked(given.search).map((facet, at) => {
    const { field, name } = facet;
    const named = { field, ...(name !== undefined && { name }) };
    const form = names.field(field);
    if (!asked[at] || !form) return named;
    const counts = answers.next().value ?? [];
    const ranges = rangesOfFacet(facet);
    return ranges.length > 0
      ? { range: counts.map(({ count }, each) => facetRange(ranges[each]!, count)), ...named }
      : { count: counts.map(({ value, count }) => facetValue(form, String(value), count)), ...named };
  });
}

const planOf = (engine: SearchEngine, { names }: Search, { hits, page }: EngineAnswer): SearchPlan => ({
  strategy: engineStrategy,
  reason: `The search engine "${engine.name}" answers it`,
  estimatedHits: hits ?? page.length,
  hits,
  thread: 'serving',
  servingReads: 0,
  readerReads: 0,
  cached: names.index.isCached,
  candidate: [],
});
