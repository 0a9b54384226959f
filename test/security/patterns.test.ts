import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePatterns } from '../../src/security/patterns.ts';
import { shareOfTries } from '../support/long.ts';
import { costSince, cpuTime } from '../support/turns.ts';

interface Vector {
  readonly name: string;
  readonly input: { readonly pattern: string; readonly path: string; readonly caseInsensitive?: boolean };
  readonly expected: boolean;
}

const vectors = readFileSync(new URL('./vectors/patterns.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Vector);

/** The canonical path has one leading slash and none at the end, and so have patterns: other spellings never meet. */
const canonical = (text: string): boolean => /^\/(?:[^/]+(?:\/[^/]+)*)?$/.test(text);

const matches = (pattern: string, path: string, caseInsensitive = false): boolean =>
  compilePatterns([pattern], caseInsensitive).first(path) === 0;

describe('patterns of [urls]', () => {
  const ours = vectors.filter(({ input }) => canonical(input.pattern) && canonical(input.path));

  it('match what the original matches, for every path that can come', () => {
    expect(ours.length).toBeGreaterThan(50);
    const otherwise = ours.filter(
      ({ input, expected }) => matches(input.pattern, input.path, input.caseInsensitive) !== expected,
    );
    expect(otherwise).toEqual([]);
  });

  it('give the first in file order, however many there are', () => {
    const rules = [...Array.from({ length: 1000 }, (_, index) => `/rule/${index}/**`), '/rule/7/x', '/**'];
    const set = compilePatterns(rules);
    expect(set.first('/rule/7/x')).toBe(7);
    expect(set.first('/rule/999')).toBe(999);
    expect(set.first('/elsewhere')).toBe(1001);
    expect(compilePatterns(['/a', '/a/*', '/*/b', '/**/b', '/a/b']).first('/a/b')).toBe(1);
    expect(compilePatterns(['/x']).first('/a')).toBe(-1);
  });

  it('find the same as asking them one by one', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', 'a*', '*', '?', 'a?b', '**', '*b');
    const pattern = fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'abb', 'c'), { maxLength: 5 })
      .map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), path, (patterns, asked) => {
        expect(compilePatterns(patterns).first(asked)).toBe(patterns.findIndex((each) => matches(each, asked)));
      }),
      { numRuns: shareOfTries(10, 2000) },
    );
  });

  it('take no time that grows out of bounds with stars', () => {
    const many = `/${'**/'.repeat(12)}x`.replace(/\/$/, '');
    const path = `/${'a/'.repeat(20)}a`;
    const started = cpuTime();
    expect(matches(many, path)).toBe(false);
    expect(matches(`/${'a*'.repeat(30)}b`, `/${'a'.repeat(2000)}`)).toBe(false);
    expect(costSince(started)).toBeLessThan(1000);
  });
});
