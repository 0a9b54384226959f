import type { SuggestionResult } from '../../items/public-reading.ts';
import type { ItemSearch } from '../documents.ts';
import type { FieldForm } from '../index/values.ts';
import { isIndexed, type Node, partsOf, type SearchKind } from './ast.ts';
import { type WordSearch, type WordSource, wordsIn } from './autocomplete.ts';
import { tokensIn } from './match.ts';
import type { Search } from './search.ts';

const [defaultValue, max] = [5, 20];
const defaultAccuracy = 0.5;
/** Maximum words of a search to check. */
const maxTerms = 20;

interface Term {
  readonly text: string;
  readonly field: FieldForm | undefined;
}

/** Suggestions for words without hits: near words with the same first letter. */
export async function suggestionsOf(
  source: WordSource,
  kind: SearchKind,
  search: Search,
  { suggestion }: ItemSearch,
): Promise<readonly SuggestionResult[]> {
  if (suggestion === undefined || !isIndexed(kind)) return [];
  const { maximumSuggestions = defaultValue, accuracy = defaultAccuracy } = suggestion;
  const limit = Math.max(Math.min(maximumSuggestions, max), 0);
  const counts = (field: FieldForm | undefined, words: readonly string[]) => {
    const searches = words.map((word): WordSearch => {
      return [word, wordsIn(search.names, field, [[{ text: word, kind: 'word' }]])];
    });
    return source.hits(searches, 1000);
  };
  const results: SuggestionResult[] = [];
  for (const { text, field } of termsOf(search.criteria)) {
    if ((await counts(field, [text])).length > 0) continue;
    const isAccurate = ([word, distance]: readonly [string, number]) =>
      distance > 0 && 1 - distance / Math.max(text.length, word.length) >= accuracy;
    const near = new Map([...(await source.near(text))].filter(isAccurate));
    const countByWord = new Map((await counts(field, [...near.keys()])).map((each) => [each.text, each.count]));
    const order = [...near].filter(([word]) => countByWord.has(word));
    order.sort(([a, x], [b, y]) => x - y || countByWord.get(b)! - countByWord.get(a)! || (a < b ? -1 : 1));
    results.push({ term: text, suggestion: order.slice(0, limit).map(([word]) => word) });
  }
  return results;
}

/** Distinct whole words that a search requires. */
function termsOf(criteria: Node): readonly Term[] {
  const terms = new Map<string, Term>();
  const inNot = new Set([...partsOf(criteria)].flatMap((each) => (each.is === 'not' ? [...partsOf(each.of)] : [])));
  for (const node of partsOf(criteria)) {
    if (node.is !== 'words' || inNot.has(node)) continue;
    for (const { text, kind } of tokensIn(node.units)) {
      const field = node.everywhere ? undefined : node.field;
      if (kind === 'word') terms.set(`${field?.name ?? ''} ${text}`, { text, field });
    }
  }
  return [...terms.values()].slice(0, maxTerms);
}
