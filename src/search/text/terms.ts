import { matcherOf as caselessMatcherOf } from '../../lib/search-pattern.ts';
import { isNear } from './near.ts';
import { folded, isUnspaced, tokensOf } from './words.ts';

/** A word that is searched: with `*` for any run of characters and `?` for one. */
export interface Token {
  readonly text: string;
  /** `start`: any end. `pattern`: stars and question marks anywhere. `near`: words that differ by a few letters. */
  readonly kind: 'word' | 'start' | 'pattern' | 'near';
  /** Of a near word: by how many letters. */
  readonly distance?: number;
}

/** One word as it was written. Scripts without blanks make several tokens of it, which stand in order. */
export type Unit = readonly Token[];

const written = /[\p{L}\p{N}*?]+/gu;
const wild = /[*?]/;

/** The words of a text in which stars and question marks stand for other characters. */
export function unitsOf(text: string, wildcards = true): readonly Unit[] {
  const found = folded(wildcards ? text : text.replace(/[*?]/g, ' ')).match(written) ?? [];
  return found.flatMap((word): Unit[] => {
    if (!wild.test(word)) {
      // One character of a script in pairs is the beginning of some pair.
      if (isUnspaced(word) && [...word].length === 1) return [[{ text: word, kind: 'start' }]];
      return [tokensOf(word).map((token) => ({ text: token, kind: 'word' }))];
    }
    const pattern = word.replace(/\*+/g, '*');
    if (/^[*]$/.test(pattern)) return [[{ text: '', kind: 'start' }]];
    const start = /^([^*?]+)\*$/.exec(pattern)?.[1];
    return [[start === undefined ? { text: pattern, kind: 'pattern' } : { text: start, kind: 'start' }]];
  });
}

/** The units of a text whose whole words may differ by some letters. */
export const nearUnitsOf = (text: string, distance: number): readonly Unit[] =>
  unitsOf(text, false).map((unit) => {
    const [only] = unit;
    const isWord = unit.length === 1 && only?.kind === 'word' && !isUnspaced(only.text);
    return isWord && distance > 0 ? [{ text: only.text, kind: 'near', distance }] : unit;
  });

/** Whether a word is one that the token stands for. */
export function tokenMatcher({ text, kind, distance = 0 }: Token): (word: string) => boolean {
  if (kind === 'word') return (word) => word === text;
  if (kind === 'start') return (word) => word.startsWith(text);
  return kind === 'near' ? (word) => isNear(text, word, distance) : matcherOf(text);
}

/** Stars try the shortest run first and never go back behind an earlier star: the time is bounded. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const wanted = Array.from(pattern);
  return (text) => {
    const given = Array.from(text);
    let [p, t, star, mark] = [0, 0, -1, 0];
    while (t < given.length) {
      if (p < wanted.length && (wanted[p] === '?' || wanted[p] === given[t]) && wanted[p] !== '*')
        [p, t] = [p + 1, t + 1];
      else if (p < wanted.length && wanted[p] === '*') [star, mark, p] = [p, t, p + 1];
      else if (star >= 0) [p, t, mark] = [star + 1, mark + 1, mark + 1];
      else return false;
    }
    while (p < wanted.length && wanted[p] === '*') p++;
    return p === wanted.length;
  };
}

/** The same for the matcher of the database: in it an opening bracket has a meaning, too. */
export const globOf = (pattern: string): string => pattern.replaceAll('[', '[[]');

/** The same without regard to capitals. */
export const caselessGlob = (pattern: string): string =>
  pattern
    .split('?')
    .map((part) => caselessMatcherOf(part, true))
    .join('?');
