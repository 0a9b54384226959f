import { describe, expect, it } from 'vitest';
import { sourceOf, sourcesIn } from '../architecture/sources.ts';
import { calls } from './calls.ts';
import { chapters, rows, unshown } from './shown.ts';
import { namedIn, textsIn } from './titles.ts';

/** Titles of the house itself are samples. */
const sources = sourcesIn('test').filter(({ path }) => !path.startsWith('test/house/'));
const named = new Set(sources.flatMap(namedIn));

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const rulesOf = (chapter: string, sections: Readonly<Record<string, number>>): string[] =>
  Object.entries(sections).flatMap(([section, count]) => upTo(count).map((rule) => `${chapter} ${section}.${rule}`));

const unnamed = (names: readonly string[], titles: ReadonlySet<string>): string[] =>
  names
    .filter((each) => !titles.has(each) && !Object.hasOwn(unshown, each))
    .map((each) => `${each}: no title names it. Remedy: a scenario called "${each}: …"`);

describe('what the description says', () => {
  it.each(Object.entries(chapters))('has a scenario for each rule of %s', (chapter, sections) => {
    expect(unnamed(rulesOf(chapter, sections), named)).toEqual([]);
  });

  it('has a scenario for each row', () => {
    const all = Object.entries(rows).flatMap(([letter, count]) => upTo(count).map((row) => `${letter}${row}`));
    expect(unnamed(all, named)).toEqual([]);
  });

  it('has a test of the effect of each call of storages and files', () => {
    const titles = sources
      .filter(({ path }) => path.endsWith('.test.ts'))
      .flatMap(textsIn)
      .map((title) => title.replace(/ ?\$\{.*/s, ''));
    const gone = Object.entries(calls).filter(([, title]) => !titles.includes(title));
    expect(gone.map(([call, title]) => `${call}: no test is called "${title}"`)).toEqual([]);
  });

  it('is shown by no scenario where the table says so', () => {
    const known = Object.entries(chapters).flatMap(([chapter, sections]) => rulesOf(chapter, sections));
    expect(Object.keys(unshown).filter((each) => named.has(each) || !known.includes(each))).toEqual([]);
  });
});

describe('a title', () => {
  it.each([
    ["it('items 4.3: goes', run);", ['items 4.3']],
    ["it('U8, shapes 3.2, 3.3 and 3.5: copies', run);", ['U8', 'shapes 3.2', 'shapes 3.3', 'shapes 3.5']],
    ["const row = { name: 'M11 N6 access 4.1: one' };", ['M11', 'N6', 'access 4.1']],
    ['it.each(rows)(`files 4.1: $name`, run);', ['files 4.1']],
    ["it('common G4.1 and G1.10: checks', run);", ['common G4.1', 'common G1.10']],
    [
      "describe('M10, item-metadata 3', () => {\n  it('3.1 3.2: merges', run);",
      ['item-metadata 3.1', 'item-metadata 3.2'],
    ],
    ["describe('item-metadata 3', run);\ndescribe('others', () => {\n  it('3.1: merges', run);", []],
    ["it('goes, as items 4.3 says', run); // items 4.4: not shown", []],
    ["const rows = ['M1', 'M12x'];", []],
  ])('as in %s names %j', (code, expected) => {
    const names = namedIn(sourceOf('test/a.test.ts', code));
    expect(names.filter((each) => !/ \d+$/.test(each))).toEqual(expected);
  });

  it('that loses its name is missed', () => {
    const titles = new Set(namedIn(sourceOf('test/a.test.ts', "it('items 4.1: is made', run);\nit('goes', run);")));
    expect(unnamed(rulesOf('items', { 4: 2 }), titles)).toEqual([
      'items 4.2: no title names it. Remedy: a scenario called "items 4.2: …"',
    ]);
  });
});
