import { inByteOrder } from '../../../core/lib/bytes.ts';
import { type LimitedReader, lookupReader } from '../../../core/store/statement.ts';
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
import { countOf, countsOf, matchedScopeOf, type Plan, readable, valuesOf } from './rows-sql.ts';
import { wordsLike } from './store.ts';
import { globOf, unitsOf } from './terms.ts';

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
const mostWords = 1000;
/** Maximum completions if parts of entities are closed to the caller. */
const mostGuarded = 200;
/** Maximum entities counted per completion. */
const mostCounted = 1000;
const [usual, most] = [10, 100];
const mostRequests = 10;

/** Completions of typed text, the most frequent first: words, or values of fields with exact values. */
export async function autocompletesOf(
  reader: LimitedReader,
  viewer: Viewer,
  kind: SearchKind,
  requests: readonly AutocompleteRequest[],
): Promise<readonly AutocompleteResult[]> {
  if (requests.length > mostRequests) throw badSearch('autocomplete', `Expected at most ${mostRequests} texts`);
  if (requests.length === 0) return [];
  const names = await loadNames(
    reader,
    viewer,
    requests.flatMap(({ field }) => field ?? []),
  );
  const results: AutocompleteResult[] = [];
  for (const request of requests) {
    const { field } = request;
    const suggestion = await suggestionsFor(reader, { viewer, kind, names }, request);
    results.push({ ...(field !== undefined && { field }), suggestion });
  }
  return results;
}

interface WordSearch {
  readonly viewer: Viewer;
  readonly kind: SearchKind;
  readonly names: Names;
}

async function suggestionsFor(
  reader: LimitedReader,
  wordSearch: WordSearch,
  request: AutocompleteRequest,
): Promise<readonly string[]> {
  const { text, field, maximumSuggestions = usual } = request;
  const limit = Math.max(Math.min(maximumSuggestions, most), 0);
  expectBuilt(wordSearch.names.index, indexesOf(wordSearch.kind, all));
  const typed = wordsOf(text);
  const last = typed.at(-1)?.at(-1);
  if (last === undefined || limit === 0 || !isIndexed(wordSearch.kind)) return [];
  const form = field === undefined ? undefined : wordSearch.names.field(field);
  if (field !== undefined && form === undefined) return [];
  const beginnings = unitsOf(typed.map((word) => `${word.join('')}*`).join(' '));
  const inAll = (units: typeof beginnings) => and(units.map((unit) => wordsIn(wordSearch.names, form, [unit])));
  if (form && valueTypeOf(form.base).matches === 'whole') {
    const values = await valuesOf(reader, planOf(wordSearch, inAll(beginnings)), form, {
      minCount: 1,
      most: mostWords,
    });
    const begun = typed.map((word) => word.join(''));
    return values
      .filter(({ value }) => begins(value, begun))
      .slice(0, limit)
      .map(({ value }) => value);
  }
  if (form && valueTypeOf(form.base).matches !== 'words') return [];
  // Words with a common prefix are adjacent.
  const words = await wordsLike(lookupReader(reader), `${globOf(last)}*`, mostWords);
  const before = inAll(beginnings.slice(0, -1));
  const searches = words.map((word): [string, Node] => {
    return [word, and([before, wordsIn(wordSearch.names, form, [[{ text: word, kind: 'word' }]])])];
  });
  const counted = await hitsOfWords(reader, wordSearch, searches, mostCounted);
  return counted.slice(0, limit).map(({ text: word }) => word);
}

const planOf = (wordSearch: WordSearch, node: Node): Plan =>
  guardedPlan(wordSearch.viewer, wordSearch.kind, node, wordSearch.names);

/** Number of entities per word search, up to a limit, the most frequent first. */
export async function hitsOfWords(
  reader: LimitedReader,
  wordSearch: WordSearch,
  searches: readonly (readonly [text: string, node: Node])[],
  most: number,
): Promise<readonly { readonly text: string; readonly count: number }[]> {
  const { viewer, kind, names } = wordSearch;
  if (names.closed.fields === undefined) {
    const matches = searches.map(([text, node]): [string, string] => [text, matchOf(node, 'both', new Map())!]);
    return countsOf(reader, viewer, kind, matches, most);
  }
  const counted: { readonly text: string; readonly count: number }[] = [];
  for (const [text, node] of searches.slice(0, mostGuarded)) {
    const count = await countOf(reader, planOf(wordSearch, node), most);
    if (count > 0) counted.push({ text, count });
  }
  return counted.sort((one, other) => other.count - one.count || inByteOrder(one.text, other.text));
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
