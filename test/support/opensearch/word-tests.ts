import { type Json, malformed, onlyEntry, onlyThese } from './refusals.ts';

type WordTest = (word: string) => boolean;

const rewrites = ['constant_score', 'scoring_boolean'];

/** Test of words by a prefix, wildcard or fuzzy query. */
export function wordTest(query: Json): { readonly field: string; readonly test: WordTest } {
  const [kind, body] = onlyEntry(query, 'match');
  const [field, given] = onlyEntry(body, kind);
  const { value, rewrite } = given;
  if (typeof value !== 'string') throw malformed(`[${kind}] expected a value`);
  if (rewrite !== undefined && !rewrites.includes(rewrite))
    throw malformed(`Failed to parse rewrite_method [${rewrite}]`);
  switch (kind) {
    case 'prefix':
      onlyThese(given, kind, ['value', 'rewrite']);
      return { field, test: (word) => word.startsWith(value) };
    case 'wildcard':
      onlyThese(given, kind, ['value', 'rewrite']);
      return { field, test: (word) => fits([...value], [...word]) };
    case 'fuzzy': {
      onlyThese(given, kind, ['value', 'rewrite', 'fuzziness', 'prefix_length', 'transpositions']);
      const { fuzziness, prefix_length: fixed = 0, transpositions = true } = given;
      if (transpositions !== false) throw malformed('this stand-in has no transpositions');
      // The engine knows no larger distances.
      const max = Math.min(fuzziness, 2);
      const start = [...value].slice(0, fixed).join('');
      const rest = [...value].slice(fixed);
      return {
        field,
        test: (word) => word.startsWith(start) && distance(rest, [...word.slice(start.length)]) <= max,
      };
    }
    default:
      throw malformed(`unknown query [${kind}]`);
  }
}

/** Whether a word fits a pattern with `*`, `?` and the escape `\`. */
function fits(pattern: readonly string[], word: readonly string[]): boolean {
  // Lengths of the beginnings of the word that fit the pattern so far.
  let lengths = new Set([0]);
  for (let at = 0; at < pattern.length; at++) {
    const isEscape = pattern[at] === '\\' && at + 1 < pattern.length;
    const wanted = isEscape ? pattern[++at] : pattern[at];
    const next = new Set<number>();
    for (const length of lengths) {
      if (wanted === '*' && !isEscape) for (let end = length; end <= word.length; end++) next.add(end);
      else if (length < word.length && ((wanted === '?' && !isEscape) || wanted === word[length])) next.add(length + 1);
    }
    lengths = next;
  }
  return lengths.has(word.length);
}

/** Levenshtein distance by recursion over the shorter rests. */
function distance(one: readonly string[], other: readonly string[]): number {
  const cells = new Map<number, number>();
  const between = (a: number, b: number): number => {
    if (a === one.length) return other.length - b;
    if (b === other.length) return one.length - a;
    const key = a * 100_000 + b;
    const cell = cells.get(key);
    if (cell !== undefined) return cell;
    const value =
      one[a] === other[b]
        ? between(a + 1, b + 1)
        : 1 + Math.min(between(a + 1, b), between(a, b + 1), between(a + 1, b + 1));
    cells.set(key, value);
    return value;
  };
  return between(0, 0);
}
