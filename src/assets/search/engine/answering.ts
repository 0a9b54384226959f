import type { FacetResult } from '../../../core/documents/shared-documents.ts';
import { lookupReader } from '../../../core/store/statement.ts';
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
import { idsAmong } from '../../access/public-reading.ts';
import type { AutocompleteResult } from '../../items/public-reading.ts';
import type { ItemSearch, SearchPlan } from '../documents.ts';
import { type Entry, prepareSearch, type SearchOptions } from '../find.ts';
import { kindOf, numberOf } from '../index/keys.ts';
import { searchProperties } from '../properties.ts';
import { guarded } from '../query/access.ts';
import { isIndexed, type SearchKind } from '../query/ast.ts';
import { autocompletesOf, type SourceOf } from '../query/autocomplete.ts';
import type { Span } from '../query/evaluate.ts';
import { facetRange, facetsAsked, facetValue, filtersOfFacet, rangesOfFacet } from '../query/facets.ts';
import type { Names } from '../query/names.ts';
import type { Filters, Search } from '../query/search.ts';
import { cursorText, positionIn } from '../query/sorting.ts';
import { entitiesAmong } from '../query/store.ts';
import {
  type AutocompleteInput,
  engineStrategy,
  highlightsBeside,
  type SearchAnswer,
  type SearchRequest,
  wordsBeside,
} from '../reading.ts';
import { allOf, anyOf, engineCondition, kindIs, ListAnswers, NotForEngine, notOf, readableBy } from './conditions.ts';
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

/** Answers a search by the engine. Throws `NotForEngine` where it cannot. */
export const answerByEngine = async (asked: EngineSearch, request: SearchRequest): Promise<SearchAnswer> =>
  (await pageByEngine(asked, request)).answer;

/**
 * Answer, and the keys of the last entity before rights were checked. `all`: keys of the entity before the page, where all
 * are wanted.
 */
async function pageByEngine(
  asked: EngineSearch,
  request: SearchRequest,
  all?: { readonly after: readonly EngineKey[] | undefined },
): Promise<{ readonly answer: SearchAnswer; readonly last: readonly EngineKey[] | undefined }> {
  const { reader, viewer, engine } = asked;
  const { kind, document, page, options, explains } = request;
  if (!isIndexed(kind)) throw new NotForEngine('Expected a search for items or collections');
  const property = createProperties(lookupReader(reader), searchProperties);
  const mergesGroups = async () => (await property('metadataGroupSearchStyle')) === 1;
  const prepared = await prepareSearch(reader, viewer, kind, document, page, { mergesGroups, ...options });
  const { search, cursor, isListed } = prepared;
  if (isListed && !all) throw new ListAnswers('Expected criteria or an order: lists answer the others');
  const order = engineOrder(prepared.order);
  if (isByDatabase(order) && !asked.isAlone) throw new NotForEngine('Expected an order of fields, times or ids');
  const hidden = await hiddenAmong(asked, search.names);
  const { where, spans } = await resolvedBy(asked, search, hidden);
  const position = positionIn(order, cursor);
  const offset = cursor === undefined ? Math.max(page.first - 1, 0) : 0;
  const facets = await facetQueries(asked, search, where, hidden);
  const query: EngineQuery = {
    where,
    boosts: await boostsOf(asked, search),
    sort: engineSort(order),
    ...(position ? { after: engineKeys(order, position) } : all?.after && { after: all.after }),
    offset: spans.size > 0 ? 0 : offset,
    limit: spans.size > 0 ? offset + page.number : page.number,
    counts: page.counts !== false,
    facets: facets.flatMap((each) => each ?? []),
  };
  const answer = await (isByDatabase(order) ? askInOrder(asked, order, query) : askAble(asked, query));
  const hits = await readable(asked, answer.page);
  const whole = hits.flatMap((hit) => entriesOf(hit, spans.get(hit.id)));
  const entries = spans.size > 0 ? whole.slice(offset, offset + page.number) : whole;
  const inTime = [...spans.values()].reduce((sum, { length }) => sum + length - 1, 0);
  const last = answer.page.at(-1);
  const keys = last?.keys.slice(0, -1).map((key) => (key === null ? null : String(key)));
  const result: SearchAnswer = {
    hits: answer.hits === undefined ? undefined : answer.hits + inTime - (answer.page.length - hits.length),
    ids: entries.map(({ id }) => id),
    entries: kind === 'both' || spans.size > 0 ? entries : undefined,
    next: cursor && (last ? cursorText(order, { keys: keys!, number: last.id }) : cursor),
    extras: {
      facet: facetsIn(search, facets, answer),
      ...(await wordsBeside(reader, viewer, search, wordsOf(asked, kind))),
    },
    highlights: await highlightsBeside(reader, viewer, search, () => entries),
    plan: explains && planOf(engine, search, answer),
  };
  return { answer: result, last: last?.keys };
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

/** Search for all its items. */
export interface AllOf {
  readonly document: ItemSearch;
  readonly options: SearchOptions;
  readonly now: number;
  readonly most: number;
}

/** Ids of all items that a search finds, up to a number. */
export async function allByEngine(
  asked: EngineSearch,
  { document: { sort: _, ...document }, options, now, most }: AllOf,
): Promise<readonly string[]> {
  const { administrator, userId } = asked.viewer;
  const page = { first: 1, number: engineSlice, counts: false, now };
  const request = { asking: { administrator, userId }, kind: 'item', document, page, options } as const;
  const ids = new Set<string>();
  let after: readonly EngineKey[] | undefined;
  do {
    const { answer, last } = await pageByEngine(asked, request, { after });
    for (const id of answer.ids) ids.add(id);
    after = last;
  } while (after && ids.size <= most);
  return [...ids];
}

/** Entries of a hit: itself, or its matching timespans. */
const entriesOf = ({ id, entityId }: EngineHit, spans: readonly Span[] | undefined): readonly Entry[] =>
  (spans ?? [{ start: undefined, end: undefined }]).map(({ start, end }) => ({
    kind: kindOf(id),
    id: entityId,
    start,
    end,
  }));

/** Numbers of waiting entities that the caller may not read any more, or in which something may be closed by now. */
async function hiddenAmong(
  { reader, viewer, waiting }: EngineSearch,
  { closed }: Pick<Names, 'closed'>,
): Promise<readonly number[]> {
  if (waiting.length === 0 || closed.fields || closed.shapes) return waiting;
  const entities = await entitiesAmong(reader, { numbers: waiting });
  const seen = new Set((await readable({ reader, viewer }, entities)).map(({ id }) => id));
  return waiting.filter((number) => !seen.has(number));
}

type Seeing = Pick<EngineSearch, 'reader' | 'viewer'>;

/** Entities of a page that exist and that the caller may read. */
async function readable<E extends Pick<EngineHit, 'id' | 'entityId'>>(
  { reader, viewer }: Seeing,
  entities: readonly E[],
): Promise<readonly E[]> {
  const seen = new Set<number>();
  for (const kind of ['item', 'collection'] as const) {
    const ids = entities.filter(({ id }) => kindOf(id) === kind).map(({ entityId }) => entityId);
    if (ids.length === 0) continue;
    for (const id of await idsAmong(reader, viewer, kind, ids, 'READ')) seen.add(numberOf(kind, id));
  }
  return entities.filter(({ id }) => seen.has(id));
}

/** Condition of a search with its scope and with what the caller may read. `spans`: of entities that match in time. */
async function resolvedBy(
  asked: EngineSearch,
  search: Search,
  hidden: readonly number[],
  filters?: Filters,
): Promise<{ readonly where: EngineCondition; readonly spans: ReadonlyMap<number, readonly Span[]> }> {
  const { search: document, genericOnly } = search.given;
  const intervals = genericOnly ? 'generic' : (document.intervals ?? 'all');
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
    const filters = filtersOfFacet(document, facet);
    const own = filters && (await resolvedBy(asked, search, hidden, filters));
    facets.push(engineFacet(facet, search.names, where, own?.where));
  }
  return facets;
}

function facetsIn(
  { names, given }: Search,
  asked: readonly (EngineFacet | undefined)[],
  { facets }: EngineAnswer,
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
