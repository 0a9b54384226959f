import { once } from '../../../core/lib/cache.ts';
import type { Maybe } from '../../../core/lib/maybe.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import { type Condition, readableItems, type Viewer } from '../../access/public-reading.ts';
import { loadFields } from '../../definitions/public-reading.ts';
import { namesIn } from '../../metadata/public-reading.ts';
import type { ItemSearch } from '../documents.ts';
import { guarded, type Holders, holdersOf, widest } from './access.ts';
import { all, and, isIndexed, type Node, partsOf, type SearchKind } from './ast.ts';
import { inColumns } from './columns.ts';
import { around, closedAt, fragment, joined, joinedBy, never, openShape } from './conditions.ts';
import { type CompileContext, Conditions, type Scope } from './conditions-sql.ts';
import { EvaluatedEntity, type EvaluationContext } from './evaluate.ts';
import { outerGroups, refusedPart, withGroups } from './groups.ts';
import { expectBuilt, indexesOf, isBuilt } from './index-state.ts';
import type { Joins } from './joined.ts';
import { matchOf, type Spans } from './match.ts';
import { loadNames, type Names, namesOf } from './names.ts';
import type { Relevance } from './page.ts';
import { type Boost, CriteriaReader, type NamedNode } from './read.ts';
import { badSearch } from './refusals.ts';
import {
  amongItems,
  amongNumbers,
  inCollection,
  inLibrary,
  matchedScopeOf,
  numbersWhere,
  type Plan,
  type ReadableList,
  readable,
  scopeOf,
  someOf,
  type TimedEntry,
} from './rows-sql.ts';
import { rangeAmong, singleCondition } from './single.ts';
import { statesByNumber } from './states.ts';
import { expansionsOf } from './store.ts';

/** Maximum entities whose metadata one search reads, for criteria in groups and in timespans. */
export const maxCandidates = 10_000;
/** Entities per tick of the event loop. */
const slice = 50;

interface SearchInput {
  readonly reader: LimitedReader;
  readonly viewer: Viewer;
  readonly kind: SearchKind;
  readonly search: ItemSearch;
  /** Id of a collection: only its items. */
  readonly collection?: string;
  /** Id of a library: only its items. */
  readonly library?: string;
  /** JSON array of index numbers: only these. */
  readonly among?: string;
  mergesGroups(): Maybe<boolean>;
  /** Value of `NOW` in dates. Undefined: not supported. */
  readonly now?: number;
  /** Rows of extensions that the search asks about. */
  readonly joins?: Joins | undefined;
}

/** Result of a search: entities by a plan, and timespans of others. */
export interface Resolved {
  readonly plan: Plan;
  readonly timed: readonly TimedEntry[];
}

/** Selection of filters. */
export interface Filters {
  /** Selects filters by name. */
  readonly uses?: (filter: string | undefined) => boolean;
  /** Field whose own filter is ignored. */
  readonly facet?: string;
}

interface Resolving extends Filters {
  /** True: nothing reads the index. */
  readonly isListed?: boolean;
  /** True: the order needs no index, so tables answer criteria of columns while it is not built. */
  readonly isOfTables?: boolean;
}

/** A parsed search with its resolved names. */
export class Search {
  readonly names: Names;
  readonly criteria: Node;
  readonly given: SearchInput;
  readonly boosts: readonly Boost[];
  readonly #filters: readonly NamedNode[];
  /** Levels that the criterion `acl` asks for. Undefined: nothing can match. */
  readonly holders: Holders | undefined;
  readonly #facetFilters: readonly NamedNode[];
  readonly #expansions: ReadonlyMap<string, readonly string[]>;
  /** Replaced when the search is resolved. */
  #index: Compiled = { isTimed: true, ranged: new Map() };

  private constructor(
    input: SearchInput,
    names: Names,
    parts: Parts,
    expansions: ReadonlyMap<string, readonly string[]>,
  ) {
    this.given = input;
    this.names = names;
    this.criteria = parts.criteria;
    this.boosts = parts.boosts;
    this.#filters = parts.filters;
    this.holders = parts.holders;
    this.#facetFilters = parts.facetFilters;
    this.#expansions = expansions;
  }

  static async read(input: SearchInput): Promise<Search> {
    const { reader, viewer, search, kind, now, joins } = input;
    const names = await loadNames(reader, viewer, namesOf(search), now, joins);
    const criteria = new CriteriaReader(names, kind);
    const parts = {
      criteria: criteria.criteria(search),
      boosts: criteria.boosts,
      filters: criteria.filters(search),
      facetFilters: criteria.facetFilters(search),
      holders: search.acl ? await holdersOf(reader, viewer, kind, search.acl) : [],
    };
    const nodes = [
      parts.criteria,
      ...parts.filters.map(({ node }) => node),
      ...parts.facetFilters.map(({ node }) => node),
    ];
    return new Search(input, names, parts, await expansionsOf(reader, nodes));
  }

  /** Whether there are no criteria, and none of these filters. */
  isEverything(filters?: Filters): boolean {
    return this.holders?.length === 0 && this.nodeOf(filters).is === 'all';
  }

  /**
   * Relevance: the score of the text index, where lower is better, and the boosts of matching criteria. Undefined: all
   * hits are equal.
   */
  get relevance(): Relevance | undefined {
    const { search, kind } = this.given;
    const isMatched = search.intervals !== 'timed' && this.#match(this.nodeOf(), 'generic').match !== undefined;
    if (!isMatched && this.boosts.length === 0) return undefined;
    const conditions = this.#conditions();
    const boosts = this.boosts.map(({ node, by }) =>
      around(`${1 - by} * COALESCE(@, 0)`, conditions.of(this.#guarded(node), scopeOf(kind), 'both')),
    );
    const sum = (first: Condition) => joinedBy([first, ...boosts], ' + ');
    return { scored: sum(isMatched ? this.#scored() : fragment('0.0')), unscored: sum(fragment('0.0')) };
  }

  /** Score without closed fields, whose words would count otherwise. */
  #scored(): Condition {
    const { fields } = this.names.closed;
    if (fields === undefined) return fragment('bm25(search_text)');
    const closed = closedAt(fields.any, 'search_text.rowid', this.given.kind);
    return around('CASE WHEN @ THEN 0.0 ELSE bm25(search_text) END', closed);
  }

  #guarded(node: Node): Node {
    return guarded(node, this.names);
  }

  /** Resolves the search. */
  async resolve({ isListed, isOfTables, ...filters }: Resolving = {}): Promise<Resolved> {
    const node = this.nodeOf(filters);
    const { index } = this.names;
    const columns = isOfTables && !isBuilt(index, indexesOf(this.given.kind, node)) ? this.ofColumns : undefined;
    if (columns) return { plan: this.#ofTables(columns), timed: [] };
    // Lists answer searches without criteria, also while the index is being built.
    if (!isListed) expectBuilt(index, indexesOf(this.given.kind, node));
    const { isTimed, ranged } = index;
    this.#index = { isTimed, ranged };
    const groups = await this.#decided(node);
    const { search, kind } = this.given;
    const intervals = isIndexed(kind) ? (search.intervals ?? 'all') : 'generic';
    const plan =
      intervals === 'timed' ? { kind, match: undefined, where: () => never } : this.#plan(node, 'generic', groups);
    if (!isTimed || intervals === 'generic' || (intervals === 'all' && node.is === 'all')) return { plan, timed: [] };
    return { plan, timed: await this.#timed(node, intervals, groups) };
  }

  /** Plan restricted by a further criterion. */
  narrowed(plan: Plan, node: Node): Plan {
    const { kind } = this.given;
    const where = joined([plan.where(), this.#conditions().of(this.#guarded(node), scopeOf(kind), 'both')], 'AND');
    return { ...plan, where: () => where, places: undefined, single: undefined, readableList: undefined };
  }

  #conditions(groups: ReadonlyMap<Node, string> = new Map(), scans = false): Conditions {
    const { joins, closed, viewer } = this.names;
    const context = { viewer, joins, closedShapes: closed.shapes, expansions: this.#expansions, groups, scans };
    return new Conditions({ ...context, ...this.#index });
  }

  /** Criteria with their filters. */
  nodeOf({ uses = () => true, facet }: Filters = {}): Node {
    const filters = this.#filters.filter(({ name }) => uses(name));
    const facets = this.#facetFilters.filter(({ name }) => facet === undefined || name !== facet);
    return and([this.criteria, ...filters.map(({ node }) => node), ...facets.map(({ node }) => node)]);
  }

  /** Splits criteria into a query of the text index, and the rest. */
  #match(node: Node, spans: Spans): { readonly match: string | undefined; readonly rest: readonly Node[] } {
    const safe = this.#guarded(node);
    const parts = safe.is === 'and' ? safe.of : [safe];
    if (!isIndexed(this.given.kind)) return { match: undefined, rest: parts };
    const words: Node[] = [];
    const rest: Node[] = [];
    let match: string | undefined;
    for (const each of parts) {
      const query = each.is === 'all' ? undefined : matchOf(each, spans, this.#expansions);
      if (query !== undefined) {
        words.push(each);
        match = query;
        continue;
      }
      rest.push(each);
      // Checks closed parts for each hit; the text index drives by the other criteria.
      const wide = safe === node ? all : widest(each);
      const wideQuery = wide.is === 'all' ? undefined : matchOf(wide, spans, this.#expansions);
      if (wideQuery === undefined) continue;
      words.push(wide);
      match = wideQuery;
    }
    return { match: words.length > 1 ? matchOf({ is: 'and', of: words }, spans, this.#expansions) : match, rest };
  }

  /** Criteria that tables decide without an index. Undefined: some need one. */
  get ofColumns(): Node | undefined {
    const { kind, search } = this.given;
    return search.intervals === 'timed' ? undefined : inColumns(this.#guarded(this.nodeOf()), kind);
  }

  #ofTables(node: Node): Plan {
    const { kind } = this.given;
    const scope = scopeOf(kind);
    const whole = (scans: boolean) =>
      this.#within(this.#conditions(new Map(), scans).of(node, scope, 'generic'), scope, scans);
    return { kind, match: undefined, isOfTables: true, where: once(() => whole(true)), probe: () => whole(false) };
  }

  /** Plan in which the text index drives if possible, and the rest is checked on its hits. */
  #plan(node: Node, spans: Spans, groups: ReadonlyMap<Node, string>, ...more: readonly Condition[]): Plan {
    const { kind } = this.given;
    const { match, rest } = this.#match(node, spans);
    const whole = (scope: Scope, scans: boolean, seen?: Condition): Condition => {
      const conditions = this.#conditions(groups, scans);
      const others = rest.map((each) => conditions.of(each, scope, spans));
      return this.#within(joined([...others, ...more], 'AND'), scope, scans, seen);
    };
    return {
      kind,
      match,
      // Compiled on demand: a single condition needs no others.
      where: once(() => (match === undefined ? whole(scopeOf(kind), true) : whole(matchedScopeOf(kind), false))),
      probe: () => whole(scopeOf(kind), false),
      places: match === undefined ? rangeAmong(rest, this.#index.ranged) : undefined,
      readableList: once(() => this.#readableList(match, (seen) => whole(matchedScopeOf(kind), false, seen))),
      single:
        more.length === 0 && this.holders?.length === 0
          ? singleCondition(this.given, this.#index, match, rest)
          : undefined,
    };
  }

  /** `where`: further conditions, given a condition for readable items. */
  #readableList(match: string | undefined, where: (seen: Condition) => Condition): ReadableList | undefined {
    const { kind, viewer } = this.given;
    const readable = match !== undefined && kind === 'item' ? readableItems(viewer) : undefined;
    return readable && { areAtMost: readable.areAtMost, where: where(amongItems(readable.items)) };
  }

  #within(where: Condition, { number }: Scope, scans: boolean, seen?: Condition): Condition {
    const { kind, viewer, collection, library, among } = this.given;
    const within = [
      ...(collection === undefined ? [] : [inCollection(collection, scans)]),
      ...(library === undefined ? [] : [inLibrary(library, scans)]),
      ...(among === undefined ? [] : [amongNumbers(among)]),
      ...(this.holders?.map((each) => readable(each.viewer, kind, number, each.level)) ?? [never]),
      ...(kind === 'shape' ? openShape(this.names.closed.shapes, 'e.id', 'e.item_id') : []),
    ];
    return joined([where, ...within, seen ?? readable(viewer, kind, number)], 'AND');
  }

  /**
   * Entities with one instance that meets a group criterion, by node. Words near each other are decided in the same
   * way.
   */
  async #decided(node: Node): Promise<ReadonlyMap<Node, string>> {
    const decided = new Map<Node, string>();
    const outer = outerGroups(node);
    if (outer.length === 0) return decided;
    const candidates = await this.#candidates(this.#plan(withGroups(node, outer), 'both', decided), refusedPart(outer));
    for (const [group, numbers] of await this.decide(outer, node, candidates)) {
      decided.set(group, JSON.stringify(numbers));
    }
    return decided;
  }

  /** Candidates that meet each group criterion, or have the words near each other, by their metadata. */
  async decide(
    outer: readonly Node[],
    node: Node,
    candidates: readonly number[],
  ): Promise<ReadonlyMap<Node, readonly number[]>> {
    const numbers = new Map<Node, number[]>(outer.map((group) => [group, []]));
    await this.each(candidates, node, (evaluated, number) => {
      for (const group of outer) if (evaluated.isGenericMatch(group)) numbers.get(group)!.push(number);
    });
    return numbers;
  }

  /** Timespans of entities whose untimed values alone do not match. */
  async #timed(
    node: Node,
    intervals: 'all' | 'timed',
    groups: ReadonlyMap<Node, string>,
  ): Promise<readonly TimedEntry[]> {
    const { kind } = this.given;
    const more = [fragment('+e.timed = 1')];
    if (intervals === 'all') {
      const generic = this.#conditions(groups).of(this.#guarded(node), scopeOf(kind), 'generic');
      more.push({ text: `NOT (${generic.text})`, values: generic.values });
    }
    const plan = this.#plan(node, intervals === 'all' ? 'both' : 'timed', groups, ...more);
    const entries: TimedEntry[] = [];
    await this.each(await this.#candidates(plan, 'intervals'), node, (evaluated, number) => {
      for (const [place, { start, end }] of evaluated.spans(node, intervals === 'timed').entries()) {
        entries.push([number, start, end, place]);
      }
    });
    return entries;
  }

  async #candidates(plan: Plan, part: string): Promise<readonly number[]> {
    const rows = await someOf(this.given.reader, plan, maxCandidates + 1);
    if (rows.length <= maxCandidates) return rows.map(({ number }) => number);
    throw tooManyCandidates(part);
  }

  /** Reads the metadata of entities in slices. */
  async each(
    numbers: readonly number[],
    node: Node,
    take: (evaluated: EvaluatedEntity, number: number) => void,
  ): Promise<void> {
    const { reader } = this.given;
    const mergesGroups = await this.given.mergesGroups();
    const facts = await this.#facts(node, numbers);
    for (let at = 0; at < numbers.length; at += slice) {
      const part = numbers.slice(at, at + slice);
      const states = await statesByNumber({ reader, viewer: this.given.viewer, names: this.names }, part);
      const names = new Set([...states.values()].flatMap((state) => [...namesIn(state)]));
      const context: EvaluationContext = { fields: await loadFields(reader, [...names]), mergesGroups, facts };
      for (const number of part) {
        const state = states.get(number);
        if (state) take(new EvaluatedEntity(number, state, context), number);
      }
      await yieldTurn();
    }
  }

  /** Entities that meet criteria on other tables, by criterion. */
  async #facts(node: Node, numbers: readonly number[]): Promise<ReadonlyMap<Node, ReadonlySet<number>>> {
    const facts = new Map<Node, ReadonlySet<number>>();
    for (const each of partsOf(node, false)) {
      if (each.is === 'fact' || each.is === 'linked') facts.set(each, await this.meeting(each, numbers));
    }
    return facts;
  }

  /** Entities that meet a criterion on other tables, among some. */
  meeting(node: Node, numbers: readonly number[]): Promise<ReadonlySet<number>> {
    const condition = this.#conditions().of(this.#guarded(node), scopeOf(this.given.kind), 'generic');
    return numbersWhere(this.given.reader, numbers, condition);
  }
}

/** Refusal of criteria in `part` that fit too many entities. */
export function tooManyCandidates(part: string) {
  const remedy = part !== 'intervals' ? '' : ', or "generic" as intervals';
  return badSearch(
    part,
    `Expected criteria that fit at most ${maxCandidates} entities whose metadata is read${remedy}`,
  );
}

type Compiled = Pick<CompileContext, 'isTimed' | 'ranged'>;

interface Parts {
  readonly criteria: Node;
  readonly boosts: readonly Boost[];
  readonly filters: readonly NamedNode[];
  readonly facetFilters: readonly NamedNode[];
  readonly holders: Holders | undefined;
}
