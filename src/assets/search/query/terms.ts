import { matcherOf as caselessMatcherOf } from '../../../core/lib/search-pattern.ts';
import { folded, isUnspaced, tokensOf } from '../index/words.ts';

/** Maximum edit distance. */
export const maxDistance = 2;

/** Edit distance of two words. Values above `maxDistance` are not exact. */
export function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let a = 1; a <= one.length; a++) {
    const next = [a];
    for (let b = 1; b <= other.length; b++) {
      const changed = row[b - 1]! + (one[a - 1] === other[b - 1] ? 0 : 1);
      next.push(Math.min(changed, row[b]! + 1, next[b - 1]! + 1));
    }
    if (Math.min(...next) > maxDistance) return maxDistance + 1;
    row = next;
  }
  return row[other.length]!;
}

/** Whether a word is within the distance and has the same first letter, by which the index is read. */
const isNear = (text: string, word: string, distance: number): boolean =>
  text[0] === word[0] && distanceOf(text, word) <= distance;

/** Search term: `*` matches any run of characters, `?` one. */
export interface SearchToken {
  readonly text: string;
  /** `start`: a prefix. `pattern`: wildcards anywhere. `near`: words within an edit distance. */
  readonly kind: 'word' | 'start' | 'pattern' | 'near';
  /** Edit distance of a near word. */
  readonly distance?: number;
}

/** A written word. Scripts without spaces yield several tokens in order. */
export type SearchUnit = readonly SearchToken[];

const written = /[\p{L}\p{N}*?]+/gu;
const wild = /[*?]/;

/** Splits a text into words with wildcards. */
export function unitsOf(text: string, wildcards = true): readonly SearchUnit[] {
  const words = folded(wildcards ? text : text.replace(/[*?]/g, ' ')).match(written) ?? [];
  return words.flatMap((word): SearchUnit[] => {
    if (!wild.test(word)) {
      // Scripts without spaces are indexed in pairs, so a single character is a prefix.
      if (isUnspaced(word) && [...word].length === 1) return [[{ text: word, kind: 'start' }]];
      return [tokensOf(word).map((token) => ({ text: token, kind: 'word' }))];
    }
    const pattern = word.replace(/\*+/g, '*');
    if (/^[*]$/.test(pattern)) return [[{ text: '', kind: 'start' }]];
    const start = /^([^*?]+)\*$/.exec(pattern)?.[1];
    return [[start === undefined ? { text: pattern, kind: 'pattern' } : { text: start, kind: 'start' }]];
  });
}

/** Words of a text without wildcards. */
export const plainUnitsOf = (text: string): readonly SearchUnit[] => unitsOf(text, false);

/** Words of a text as near words. */
export const nearUnitsOf = (text: string, distance: number): readonly SearchUnit[] =>
  plainUnitsOf(text).map((unit) => {
    const [only] = unit;
    const isWord = unit.length === 1 && only?.kind === 'word' && !isUnspaced(only.text);
    return isWord && distance > 0 ? [{ text: only.text, kind: 'near', distance }] : unit;
  });

/** Matcher for the words of a token. */
export function tokenMatcher({ text, kind, distance = 0 }: SearchToken): (word: string) => boolean {
  if (kind === 'word') return (word) => word === text;
  if (kind === 'start') return (word) => word.startsWith(text);
  return kind === 'near' ? (word) => isNear(text, word, distance) : matcherOf(text);
}

/** Wildcard matcher. Stars match the shortest run and never backtrack past an earlier star, so the time is bounded. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const wanted = Array.from(pattern);
  return (text) => {
    const letters = Array.from(text);
    let [p, t, star, mark] = [0, 0, -1, 0];
    while (t < letters.length) {
      if (p < wanted.length && (wanted[p] === '?' || wanted[p] === letters[t]) && wanted[p] !== '*')
        [p, t] = [p + 1, t + 1];
      else if (p < wanted.length && wanted[p] === '*') [star, mark, p] = [p, t, p + 1];
      else if (star >= 0) [p, t, mark] = [star + 1, mark + 1, mark + 1];
      else return false;
    }
    while (p < wanted.length && wanted[p] === '*') p++;
    return p === wanted.length;
  };
}

/** Pattern for GLOB of SQLite, with opening brackets escaped. */
export const globOf = (pattern: string): string => pattern.replaceAll('[', '[[]');

/** GLOB pattern that ignores case. */
export const caselessGlob = (pattern: string): string =>
  pattern
    .split('?')
    .map((part) => caselessMatcherOf(part, true))
    .join('?');
