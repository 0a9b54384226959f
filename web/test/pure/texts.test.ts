import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { iconNames } from '../../src/kit/icon-names.ts';
import { en } from '../../src/texts/en.ts';
import { fill } from '../../src/texts/index.ts';
import { sv } from '../../src/texts/sv.ts';

const values = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!).toSorted();

describe('texts', () => {
  it('has the same keys with the same values in all languages', () => {
    expect(Object.keys(sv).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(en))
      expect([key, values(sv[key as keyof typeof en])]).toEqual([key, values(text)]);
  });

  it('has each key in one file of a language', () => {
    const files = readdirSync('web/src/texts').filter((name) => name.endsWith('en.ts'));
    const keys = files.flatMap((name) =>
      [...readFileSync(`web/src/texts/${name}`, 'utf8').matchAll(/^ {2}'?([\w.]+)'?:/gm)].map(([, key]) => key),
    );
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('says something in Swedish', () => {
    const alike = Object.entries(en).filter(
      ([key, text]) => /\w+ \w+ \w+/.test(text) && sv[key as keyof typeof en] === text,
    );
    expect(alike).toEqual([]);
  });

  it.each([
    ['{count|one item|# items}', { count: 1 }, 'one item'],
    ['{count|one item|# items}', { count: 1200 }, '1,200 items'],
    ['{name} of {count}', { name: '{count}', count: 2 }, '{count} of 2'],
    ['{missing}', {}, '{missing}'],
  ])('fills %s with %j', (text, given, wanted) => {
    expect(fill(text, given, 'en')).toBe(wanted);
  });

  it('has a symbol for each name of an icon, and no other', () => {
    const sprite = readFileSync('web/src/style/sprite.svg', 'utf8');
    const symbols = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id!);
    expect([...iconNames].toSorted()).toEqual(symbols.toSorted());
  });

  it('is used: each key stands in the sources of the page', () => {
    const sources = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts'))
      .map((name) => readFileSync(`web/src/${name}`, 'utf8'))
      .join('\n');
    const unused = Object.keys(en).filter((key) => {
      // Words for any page.
      if (key.startsWith('word.')) return false;
      // Keys that are put together, such as `job.state.${state}`.
      const begun = key.slice(0, key.lastIndexOf('.') + 1);
      return !sources.includes(`'${key}'`) && !sources.includes(`\`${begun}\${`);
    });
    expect(unused).toEqual([]);
  });
});
