import type { EngineCondition, EngineToken } from '../../../spi/index.ts';
import { wildcardTest } from './wildcards.ts';

type Phrase = Extract<EngineCondition, { is: 'phrase' }>;

/** Token between two values. */
const gap = '_gap';

/** Tokens of a text, as one list for each value. */
export function valuesOf(text: string): readonly (readonly string[])[] {
  const values: string[][] = [[]];
  for (const token of text.split(' ')) {
    if (token === gap) values.push([]);
    else if (token !== '') values.at(-1)!.push(token);
  }
  return values;
}

export function hasPhrase(words: readonly string[], { tokens, slop }: Pick<Phrase, 'tokens' | 'slop'>): boolean {
  const tests = tokens.map(testOf);
  const width = tests.length + (slop ?? 0);
  for (let at = 0; at + tests.length <= words.length; at++) {
    const window = words.slice(at, at + width);
    if (slop === undefined ? tests.every((test, index) => test(window[index]!)) : haveOwnWords(tests, window))
      return true;
  }
  return tests.length === 0;
}

type WordTest = (word: string) => boolean;

/** Whether each test can have a word that no other test has (augmenting paths). */
function haveOwnWords(tests: readonly WordTest[], words: readonly string[]): boolean {
  const owners = new Map<number, number>();
  const assign = (test: number, tried: Set<number>): boolean =>
    words.some((word, index) => {
      if (tried.has(index) || !tests[test]!(word)) return false;
      tried.add(index);
      const owner = owners.get(index);
      if (owner !== undefined && !assign(owner, tried)) return false;
      owners.set(index, test);
      return true;
    });
  return tests.every((_, test) => assign(test, new Set()));
}

function testOf({ text, kind, distance = 0, fixed = 0 }: EngineToken): WordTest {
  switch (kind) {
    case 'word':
      return (word) => word === text;
    case 'start':
      return (word) => word.startsWith(text);
    case 'pattern':
      return wildcardTest(text);
    case 'near':
      return nearTest([...text], distance, fixed);
  }
}

function nearTest(wanted: readonly string[], distance: number, fixed: number): WordTest {
  const start = wanted.slice(0, fixed).join('');
  const rest = wanted.slice(fixed);
  return (word) => word.startsWith(start) && edits(rest, [...word.slice(start.length)]) <= distance;
}

/** Levenshtein distance in characters. A transposition is two edits. */
function edits(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of one.entries()) {
    const next = [index + 1];
    for (const [column, each] of other.entries())
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + Number(each !== character)));
    row = next;
  }
  return row[other.length]!;
}
