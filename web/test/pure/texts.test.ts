import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { iconNames } from '../../src/components/icon-names.ts';
import { en } from '../../src/texts/en.ts';
import { fill } from '../../src/texts/index.ts';

const folder = 'web/src/texts';
const languages = readdirSync(folder).filter((name) => !name.includes('.'));
const others = languages.filter((language) => language !== 'en');

const textsOf = (language: string, page: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(`${folder}/${language}/${page}`, 'utf8'));
const allOf = (language: string): Readonly<Record<string, string>> =>
  Object.assign({}, ...readdirSync(`${folder}/${language}`).map((page) => textsOf(language, page)));

/** Forms of a plural, as `one {# item} other {# items}`. */
const plurals = /, plural,((?: \w+ \{[^{}]*\})+)\}/g;

const values = (text: string): readonly string[] =>
  [...text.replace(plurals, '}').matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();

/** First parts of keys, for files that hold more than the keys of one page. */
const shared: Readonly<Record<string, readonly string[]>> = {
  common: ['word', 'refusal', 'clash', 'role', 'media', 'pager', 'records'],
  shell: ['shell', 'nav', 'keys', 'page', 'login'],
  item: ['item', 'form'],
};

/** `jobs` and `job`: the page of a list and that of one entity share a file. */
const prefixesOf = (page: string): readonly string[] => shared[page] ?? [page, page.replace(/s$/, '')];

const sources = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts'))
  .map((name) => [name.replaceAll('\\', '/'), readFileSync(`web/src/${name}`, 'utf8')] as const);

/** Where the sources of a page begin: its folder or its only file. */
const foldersOf = (page: string): readonly string[] => [
  `pages/${page}/`,
  `pages/${page}s/`,
  `pages/${page}.`,
  `${page}/`,
];

describe('texts', () => {
  it('is a folder for each language', () => {
    expect(others).toContain('sv');
  });

  it.each(others)('has the keys and values of English in %s', (language) => {
    const translated = allOf(language);
    expect(Object.keys(translated).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(en)) expect([key, values(translated[key]!)]).toEqual([key, values(text)]);
  });

  it.each(languages)('has each key in the file of its page, in the language %s', (language) => {
    const pages = readdirSync(`${folder}/${language}`);
    const misplaced = pages.flatMap((page) =>
      Object.keys(textsOf(language, page)).filter(
        (key) => !prefixesOf(page.replace('.json', '')).includes(key.split('.')[0]!),
      ),
    );
    expect(misplaced).toEqual([]);
    const keys = pages.flatMap((page) => Object.keys(textsOf(language, page)));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it.each(others)('says something in %s', (language) => {
    const translated = allOf(language);
    const alike = Object.entries(en).filter(([key, text]) => /\w+ \w+ \w+/.test(text) && translated[key] === text);
    expect(alike).toEqual([]);
  });

  it.each(languages)('has all categories of plurals in %s', (language) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, text] of Object.entries(allOf(language))) {
      for (const [, forms] of text.matchAll(plurals)) {
        expect([key, [...forms!.matchAll(/ (\w+) \{/g)].map(([, category]) => category!).toSorted()]).toEqual([
          key,
          categories,
        ]);
      }
    }
  });

  it.each([
    ['{count, plural, one {one item} other {# items}}', { count: 1 }, 'one item'],
    ['{count, plural, one {one item} other {# items}}', { count: 1200 }, '1,200 items'],
    ['{name} of {count}', { name: '{count}', count: 2 }, '{count} of 2'],
    ['{missing}', {}, '{missing}'],
  ])('fills %s with %j', (text, inputs, wanted) => {
    expect(fill(text, inputs, 'en')).toBe(wanted);
  });

  it.each([
    [1, '1 plik'],
    [3, '3 pliki'],
    [5, '5 plików'],
    [1.5, '1,5 pliku'],
  ])('takes the plural of the language: %s', (count, wanted) => {
    const text = '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}';
    expect(fill(text, { count }, 'pl')).toBe(wanted);
  });

  it('writes numbers as the region does, and plurals as the language', () => {
    expect(fill('{count, plural, one {# item} other {# items}}', { count: 1200 }, 'en', 'de')).toBe('1.200 items');
  });

  it('has a symbol for each name of an icon, and no other', () => {
    const sprite = readFileSync('web/src/style/sprite.svg', 'utf8');
    const symbols = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id!);
    expect([...iconNames].toSorted()).toEqual(symbols.toSorted());
  });

  it('is used: each key stands in the sources of its page', () => {
    const unused = Object.keys(en).filter((key) => {
      const [prefix] = key.split('.');
      const page = Object.keys(shared).find((each) => shared[each]!.includes(prefix!)) ?? prefix!;
      const isShared = page === 'common' || page === 'shell';
      const begin = key.slice(0, key.lastIndexOf('.') + 1);
      return !sources.some(
        ([name, text]) =>
          (isShared || foldersOf(page).some((folder) => name.startsWith(folder)) || name === 'pages.ts') &&
          // Keys that are put together, such as `job.state.${state}`.
          (text.includes(`'${key}'`) || text.includes(`\`${begin}\${`)),
      );
    });
    expect(unused).toEqual([]);
  });
});
