import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { iconNames } from '../../src/components/icon-names.ts';
import { en } from '../../src/texts/en.ts';
import { fill } from '../../src/texts/index.ts';
import { sv } from '../../src/texts/sv.ts';

const values = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!).toSorted();

/** First parts of keys, for files that hold more than the keys of one page. */
const shared: Readonly<Record<string, readonly string[]>> = {
  common: ['word', 'refusal', 'clash', 'role', 'media', 'pager', 'records'],
  shell: ['shell', 'nav', 'keys', 'page', 'login'],
  item: ['item', 'form'],
};

/** `jobs` and `job`: the page of a list and that of one entity share a file. */
const prefixesOf = (page: string): readonly string[] => shared[page] ?? [page, page.replace(/s$/, '')];

const keysIn = (name: string): readonly string[] =>
  [...readFileSync(`web/src/texts/${name}`, 'utf8').matchAll(/^ {2}'?([\w.]+)'?:/gm)].map(([, key]) => key!);

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
  it('has the same keys with the same values in all languages', () => {
    expect(Object.keys(sv).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(en))
      expect([key, values(sv[key as keyof typeof en])]).toEqual([key, values(text)]);
  });

  it.each(['en', 'sv'])('has each key in the file of its page, in the language %s', (language) => {
    const files = readdirSync('web/src/texts').filter((name) => name.endsWith(`.${language}.ts`));
    const misplaced = files.flatMap((name) => {
      const page = name.split('.')[0]!;
      return keysIn(name).filter((key) => !prefixesOf(page).includes(key.split('.')[0]!));
    });
    expect(misplaced).toEqual([]);
    const keys = files.flatMap(keysIn);
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
  ])('fills %s with %j', (text, inputs, wanted) => {
    expect(fill(text, inputs, 'en')).toBe(wanted);
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
