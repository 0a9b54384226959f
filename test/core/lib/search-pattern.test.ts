import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costOf, fitsWildcard, matcherOf, prefixesOf, rangeOf } from '../../../src/core/lib/search-pattern.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { shareOfTries } from '../../support/long.ts';
import { memoryStore } from '../../support/store.ts';
import { costSince, cpuTime } from '../../support/turns.ts';

/** Whatever the matcher, a pattern language or an order of texts could take for something else. */
const characters = fc.constantFrom(...'aAbéÉßİǆ?*[]^-!%_\\\'"😀\ud7ff\ue000\uffff\u{10ffff}'.match(/[\s\S]/gu)!);
const texts = fc.string({ unit: characters, maxLength: 6 });

const inEitherCase = (one: string, other: string): boolean =>
  one === other || one.toLowerCase() === other || one.toUpperCase() === other;

/** The same said once more: `*` is any text, everything else is itself. */
function fits(pattern: readonly string[], text: readonly string[], ignoreCase: boolean): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '*')
    return fits(rest, text, ignoreCase) || (text.length > 0 && fits(pattern, text.slice(1), ignoreCase));
  const [character, ...others] = text;
  if (character === undefined) return false;
  return (ignoreCase ? inEitherCase(first, character) : first === character) && fits(rest, others, ignoreCase);
}

describe('a search pattern', () => {
  let store: Store;
  beforeAll(async () => {
    store = await memoryStore();
  });
  afterAll(() => store.close());

  it('fits in the database what it fits by its meaning, and nothing outside of its prefixes', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.boolean(), async (pattern, text, ignoreCase) => {
        const expected = fits([...pattern], [...text], ignoreCase);
        const [[matched] = []] = await store.read('SELECT ? GLOB ?', [text, matcherOf(pattern, ignoreCase)]);
        expect([pattern, text, matched]).toEqual([pattern, text, expected ? 1 : 0]);
        const prefixes = prefixesOf(pattern, ignoreCase);
        if (expected && prefixes.length > 0) {
          const ranges = JSON.stringify(prefixes.map(rangeOf));
          const within = await store.read(
            `SELECT COUNT(*) FROM json_each(?) WHERE ? >= json_extract(value, '$[0]')
              AND ? < COALESCE(json_extract(value, '$[1]'), x'')`,
            [ranges, text, text],
          );
          expect([pattern, text, within]).toEqual([pattern, text, [[1]]]);
        }
      }),
      { numRuns: shareOfTries(6, 3000) },
    );
  });

  it('has a range that holds every text with its prefix, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (prefix, text) => {
        const [from, to] = rangeOf(prefix);
        const [[within] = []] = await store.read(`SELECT ? >= ? AND ? < COALESCE(?, x'')`, [text, from, text, to]);
        expect([prefix, text, within]).toEqual([prefix, text, text.startsWith(prefix) ? 1 : 0]);
      }),
      { numRuns: shareOfTries(6, 3000) },
    );
  });

  it('that is made to take long takes no time', async () => {
    const started = cpuTime();
    const text = 'a'.repeat(100_000);
    for (const pattern of [`${'*a'.repeat(127)}b`, `${'*[aA]'.repeat(51)}`, `*${'a'.repeat(250)}b*`]) {
      await store.read('SELECT ? GLOB ?', [text, matcherOf(pattern, true)]);
    }
    expect(costSince(started)).toBeLessThan(1_000);
  });

  it('costs as many bytes as its longest part that may stand anywhere', () => {
    const cost = (pattern: string, ignoreCase = false) => costOf(matcherOf(pattern, ignoreCase));
    expect(['', 'abc', 'abc*', '*'].map((pattern) => cost(pattern))).toEqual([0, 0, 0, 0]);
    expect(['*a', 'abc*de', '*ab*cde*f*', '*\u00e9\u00e9*'].map((pattern) => cost(pattern))).toEqual([1, 2, 3, 4]);
    // A letter in both cases, and what has to stand in brackets, is as long as the database reads it.
    expect([cost('*ab', true), cost('*?'), cost('*['), cost('*]]'), cost('*\u00e9', true)]).toEqual([8, 3, 3, 2, 6]);
  });

  it('has few spellings of its prefix, however many letters it has', () => {
    expect(prefixesOf('abc*d', false)).toEqual(['abc']);
    expect(prefixesOf('ab*', true)).toEqual(['ab', 'aB', 'Ab', 'AB']);
    expect(prefixesOf('abcdefghij', true)).toHaveLength(16);
    expect(prefixesOf('*a', true)).toEqual([]);
  });
});

describe('a wildcard', () => {
  it.each([
    ['', '', true],
    ['*', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abb', false],
    ['*a*b', 'xaab', true],
    ['?', '', false],
    ['a?', 'ab', true],
    ['ab', 'abc', false],
    ['*.mov', 'a.mov.mov', true],
  ])('the pattern %j fits %j: %s', (pattern, text, expected) => {
    expect(fitsWildcard(pattern, text)).toBe(expected);
  });
});
