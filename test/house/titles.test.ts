import { describe, expect, it } from 'vitest';
import { sourceOf, sourcesIn } from '../architecture/sources.ts';
import { calls } from './calls.ts';
import { rows } from './rows.ts';
import { rules } from './rules.ts';
import { chapters, letters, unshown } from './shown.ts';
import { codesIn, textsIn } from './titles.ts';

/** Titles of the context itself are samples. */
const sources = sourcesIn('test').filter(({ path }) => !path.startsWith('test/house/'));
const titles = new Set(
  sources
    .filter(({ path }) => path.endsWith('.test.ts') || path.startsWith('test/runtime/'))
    .flatMap(textsIn)
    .map((title) => title.replace(/ ?\$\{.*/s, '')),
);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const rulesOf = (chapter: string): string[] =>
  Object.entries(chapters[chapter]!).flatMap(([section, count]) =>
    upTo(count).map((rule) => `${chapter} ${section}.${rule}`),
  );

const gone = (table: Readonly<Record<string, string>>, known: ReadonlySet<string>): string[] =>
  Object.entries(table)
    .filter(([, title]) => !known.has(title))
    .map(([name, title]) => `${name}: no test is called "${title}". Remedy: name another test that shows it`);

describe('what the description says', () => {
  it('has a row in the table for each rule, or a reason why no test shows it', () => {
    const all = Object.keys(chapters).flatMap(rulesOf);
    expect([...Object.keys(rules), ...Object.keys(unshown)].sort()).toEqual(all.sort());
  });

  it('has a row in the table for each requirement', () => {
    const all = Object.entries(letters).flatMap(([letter, count]) => upTo(count).map((row) => `${letter}${row}`));
    expect(Object.keys(rows).sort()).toEqual(all.sort());
  });

  it.each([
    ['rule', rules],
    ['requirement', rows],
    ['call of storages and files', calls],
  ])('has a test for each %s', (_, table) => {
    expect(gone(table, titles)).toEqual([]);
  });

  it('names the rule whose test is gone', () => {
    expect(gone({ 'items 4.1': 'is made', 'items 4.2': 'goes' }, new Set(['goes']))).toEqual([
      'items 4.1: no test is called "is made". Remedy: name another test that shows it',
    ]);
  });
});

describe('a title', () => {
  it('says the promise, and begins with no code of a rule', () => {
    const found = sources.flatMap((source) => codesIn(source).map((each) => `${source.path}: ${each}`));
    const remedy = 'Remedy: leave out the code. test/house/rules.ts and rows.ts say which test shows a rule';
    expect(found, remedy).toEqual([]);
  });

  it.each([
    "it('items 4.3: goes', run);",
    "it('U8, shapes 3.2 and 3.5: copies', run);",
    "it('M20 the store of the tests is strict', run);",
    "const row = { name: 'M11 N6 access 4.1: one' };",
    'it.each(rows)(`files 4.1: $name`, run);',
    "it('S3.4 loads a class', run);",
    "test('R12: goes', run);",
    "it('common G4.1 and G1.10: checks', run);",
    "describe('item-metadata 3', run);",
    "it('3.1: merges', run);",
    "it.each(rows)('6: %s', run);",
  ])('with a code is found: %s', (code) => {
    expect(codesIn(sourceOf('test/a.test.ts', code))).toHaveLength(1);
  });

  it.each([
    "it('goes, as items 4.3 says', run);",
    "it('goes', run); // items 4.4: not shown",
    "const rows = ['M1', 'V1 h264', '3.1: goes'];",
    "it('410 switches a notification off', run);",
  ])('without one is not: %s', (code) => {
    expect(codesIn(sourceOf('test/a.test.ts', code))).toEqual([]);
  });
});
