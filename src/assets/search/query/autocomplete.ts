import { inByteOrder } from '../../../core/lib/bytes.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { Viewer } from '../../access/public-reading.ts';
import { valueTypeOf } from '../../definitions/public-reading.ts';
import type { AutocompleteResult } from '../../items/public-reading.ts';
import type { AutocompleteRequest } from '../documents.ts';
import type { FieldForm } from '../index/values.ts';
import { folded, wordsOf } from '../index/words.ts';
import { guarded, widest } from './access.ts';
import { all, and, isIndexed, type Node, or, type SearchKind } from './ast.ts';
import { joined } from './conditions.ts';
import { Conditions } from './conditions-sql.ts';
import { expectBuilt, indexesOf } from './index-state.ts';
import { matchOf } from './match.ts';
import { loadNames, type Names } from './names.ts';
import { badSearch } from './refusals.ts';
import { countsOf, matchedScopeOf, type Plan, readable, valuesOf } from './rows-sql.ts';
import { nearWords, wordsLike } from './store.ts';
import { globOf, unitsOf } from './terms.ts';
import { countOf } from './total-sql.ts';

/** Plan for words without wildcards: the text index drives, and closed parts are checked per hit. */
function guardedPlan(viewer: Viewer, kind: SearchKind, node: Node, names: Names): Plan {
  const safe = guarded(node, names);
  const [expansions, scope] = [new Map(), matchedScopeOf(kind)];
  const { isTimed, ranged } = names.index;
  const conditions = new Conditions({
    viewer,
    closedShapes: undefined,
    expansions,
    groups: new Map(),
    joins: {},
    scans: false,
    isTimed,
    ranged,
  });
  const rest = safe === node ? [] : [conditions.of(safe, scope, 'both')];
  const match = matchOf(safe === node ? node : widest(safe), 'both', expansions);
  const where = joined([...rest, readable(viewer, kind, scope.number)], 'AND');
  return { kind, match, where: () => where };
}

/** Maximum words of the index per suggestion. */
const maxWords = 1000;
/** Maximum completions if parts of entities are closed to the caller. */
const maxGuarded = 200;
/** Maximum entities counted per completion. */
const maxCounted = 1000;
const [defaultValue, max] = [10, 100];
const maxRequests = 10;

/** Words and values of entities that a caller may read: of the embedded index, or of a search engine. */
export interface WordSource {
  readonly names: Names;
  /** Words with a beginning, of entities that meet the criteria and perhaps of others. */
  beginning(start: string, node: Node, max: number): Promise<readonly string[]>;
  /** Words that are near a text, with their edit distance. */
  near(text: string): Promise<ReadonlyMap<string, number>>;
  /** Number of entities per word search, up to a limit, the most frequent first. */
  hits(searches: readonly WordSearch[], max: number): Promise<readonly WordCount[]>;
  /** Values of a field in entities that meet the criteria, the most frequent first. */
  values(form: FieldForm, node: Node, max: number): Promise<readonly string[]>;
}

export type WordSearch = readonly [text: string, node: Node];

export interface WordCount {
  readonly text: string;
  readonly count: number;
}

export type SourceOf = (names: Names) => Promise<WordSource>;

/** Words of the embedded index. */
export function embeddedWords(reader: LimitedReader, viewer: Viewer, kind: SearchKind, names: Names): WordSource {
  const planOf = (node: Node): Plan => guardedPlan(viewer, kind, node, names);
  return {
    names,
    beginning(start, _node, limit) {
      expectBuilt(names.index, indexesOf(kind, all));
      // Words with a common prefix are adjacent.
      return wordsLike(reader, `${globOf(start)}*`, limit);
    },
    near: (text) => nearWords(reader, text),
    async hits(searches, limit) {
      if (names.closed.fields === undefined) {
        const matches = searches.map(([text, node]): [string, string] => [text, matchOf(node, 'both', new Map())!]);
        return countsOf(reader, viewer, kind, matches, limit);
      }
      const counted: WordCount[] = [];
      for (const [text, node] of searches.slice(0, maxGuarded)) {
        const count = await countOf(reader, planOf(node), limit);
        if (count > 0) counted.push({ text, count });
      }
      return counted.sort(mostFrequentFirst);
    },
    async values(form, node, limit) {
      expectBuilt(names.index, indexesOf(kind, all));
      const values = await valuesOf(reader, planOf(node), form, { minCount: 1, max: limit });
      return values.map(({ value }) => value);
    },
  };
}

export const mostFrequentFirst = (one: WordCount, other: WordCount): number =>
  other.count - one.count || inByteOrder(one.text, other.text);

/** Completions of typed text, the most frequent first: words, or values of fields with exact values. */
export async function autocompletesOf(
  reader: LimitedReader,
  viewer: Viewer,
  kind: SearchKind,
  requests: readonly AutocompleteRequest[],
  sourceOf: SourceOf = async (names) => embeddedWords(reader, viewer, kind, names),
): Promise<readonly AutocompleteResult[]> {
  if (requests.length > maxRequests) throw badSearch('autocomplete', `Expected at most ${maxRequests} texts`);
  if (requests.length === 0) return [];
  const names = await loadNames(
    reader,
    viewer,
    requests.flatMap(({ field }) => field ?? []),
  );
  const source = await sourceOf(names);
  const results: AutocompleteResult[] = [];
  for (const request of requests) {
    const { field } = request;
    const suggestion = await suggestionsFor(source, kind, request);
    results.push({ ...(field !== undefined && { field }), suggestion });
  }
  return results;
}

async function suggestionsFor(
  { names, ...source }: WordSource,
  kind: SearchKind,
  { text, field, maximumSuggestions = defaultValue }: AutocompleteRequest,
): Promise<readonly string[]> {
  const limit = Math.max(Math.min(maximumSuggestions, max), 0);
  const typed = wordsOf(text);
  const last = typed.at(-1)?.at(-1);
  if (last === undefined || limit === 0 || !isIndexed(kind)) return [];
  const form = field === undefined ? undefined : names.field(field);
  if (field !== undefined && form === undefined) return [];
  const beginnings = unitsOf(typed.map((word) => `${word.join('')}*`).join(' '));
  const inAll = (units: typeof beginnings) => and(units.map((unit) => wordsIn(names, form, [unit])));
  if (form && valueTypeOf(form.base).matches === 'whole') {
    const values = await source.values(form, inAll(beginnings), maxWords);
    const begun = typed.map((word) => word.join(''));
    return values.filter((value) => begins(value, begun)).slice(0, limit);
  }
  if (form && valueTypeOf(form.base).matches !== 'words') return [];
  const words = await source.beginning(last, inAll(beginnings), maxWords);
  const before = inAll(beginnings.slice(0, -1));
  const searches = words.map((word): WordSearch => {
    return [word, and([before, wordsIn(names, form, [[{ text: word, kind: 'word' }]])])];
  });
  const counted = await source.hits(searches, maxCounted);
  return counted.slice(0, limit).map(({ text: word }) => word);
}

/** Words in one field, or in any that the caller may read. */
export function wordsIn(
  names: Names,
  field: FieldForm | undefined,
  units: Extract<Node, { is: 'words' }>['units'],
): Node {
  if (field) return { is: 'words', field, units };
  return names.readable === undefined
    ? { is: 'words', units }
    : or(names.readable.map((each): Node => ({ is: 'words', field: each, units })));
}

const begins = (value: string, beginnings: readonly string[]): boolean => {
  const words = folded(value).match(/[\p{L}\p{N}]+/gu) ?? [];
  return beginnings.every((begin) => words.some((word) => word.startsWith(begin)));
};
