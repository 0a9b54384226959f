import type { Fault } from './fault.ts';

const query = 'src/search/query';
const tests = 'test/search';

/** Of searches: what they tell, and to whom. */
export const searchingFaults: readonly Fault[] = [
  {
    name: 'words of items that the caller may not read among those that complete a text',
    file: `${query}/autocomplete.ts`,
    find: 'readable(asked.viewer, asked.found)',
    replace: 'readable({ ...asked.viewer, administrator: true }, asked.found)',
    caughtBy: `${tests}/leaks.test.ts`,
  },
  {
    name: 'near words of items that the caller may not read',
    file: `${query}/suggestions.ts`,
    find: 'countsOf(reader, viewer, found,',
    replace: 'countsOf(reader, { ...viewer, administrator: true }, found,',
    caughtBy: `${tests}/leaks.test.ts`,
  },
  {
    name: 'searches of items that ask nobody for rights',
    file: `${query}/rows/store.ts`,
    find: "if (found !== 'both') return",
    replace: "if (found !== 'both') return fragment('1');\n  if (found !== 'both') return",
    caughtBy: `${tests}/leaks.test.ts`,
  },
  {
    name: 'a word that is told at once to those who may not read its items',
    file: `${query}/alone.ts`,
    find: 'const isWithin = !viewer.administrator ||',
    replace: 'const isWithin =',
    caughtBy: `${tests}/quick.test.ts`,
  },
  {
    name: 'the word that the index has of each entity, on the serving thread',
    file: `${query}/alone.ts`,
    find: "isKeyLike(token) === (column !== 'gw')",
    replace: 'true',
    caughtBy: `${tests}/quick.test.ts`,
  },
  {
    name: 'a range on the serving thread that looks at all entities of the other kind',
    file: `${query}/quick/store.ts`,
    find: 'if (places === undefined || places.length === mostLooked) return places;',
    replace: 'if (places === undefined) return places;',
    caughtBy: `${tests}/quick.test.ts`,
  },
  {
    name: 'a range on the serving thread that forgets where the page begins',
    file: `${query}/quick/store.ts`,
    find: 'numbers.filter((number) => number < at)',
    replace: 'numbers.filter(() => at > 0)',
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'a word on the serving thread that forgets where the page begins',
    file: `${query}/quick/store.ts`,
    find: 'const behind = rangeIn(plan, { at, ascending: false });',
    replace: 'const behind = rangeIn(plan, { at: at + 1e9, ascending: false });',
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'a range that a thread tells apart and that has each end once more',
    file: 'src/store/local/distinct.ts',
    find: 'const number = Math.abs(given[at]!);',
    replace: 'const number = given[at]! < 0 ? 1 - given[at]! : given[at]!;',
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'a list of what few items a viewer may read that has all items',
    file: `${query}/rows/store.ts`,
    find: '`+${matched} IN (SELECT serial FROM @)`',
    replace: '`(${matched} > 0 OR ${matched} IN (SELECT serial FROM @))`',
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'a page of few items that begins with the oldest',
    file: `${query}/paged/store.ts`,
    find: 'number < ? ORDER BY number DESC LIMIT',
    replace: 'number < ? ORDER BY number LIMIT',
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'the order of a field that brings what the criteria leave out',
    file: `${query}/walk/store.ts`,
    find: 'plan.probe?.() ?? plan.where,',
    replace: "fragment('1'),",
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'a range that misses the values between the ends',
    file: `${query}/conditions/store.ts`,
    find: "several: 'IN (0, 1, 2)'",
    replace: "several: 'IN (0, 1)'",
    caughtBy: `${tests}/oracle.test.ts`,
  },
  {
    name: 'an entity that keeps its old place in the order of a field',
    file: 'src/search/index/store.ts',
    find: 'statement(removeNamed, changed),',
    replace: '',
    caughtBy: `${tests}/order.test.ts`,
  },
  {
    name: 'an entity with a number of many digits that keeps its first values in the index',
    file: 'src/search/index/store.ts',
    find: 'areCompared(old.rows) ? old.version : -1',
    replace: 'old.version',
    caughtBy: `${tests}/long-numbers.test.ts`,
  },
  {
    name: 'words of two values that are near each other',
    file: `${query}/conditions/match.ts`,
    find: "if (spans === 'generic') return undefined;",
    replace: '',
    caughtBy: `${tests}/relevance.test.ts`,
  },
  {
    name: 'another index that is fed on although it lost something',
    file: 'src/search/feed/kind.ts',
    find: 'position < row.position ||',
    replace: '',
    caughtBy: `${tests}/feed/feed.test.ts`,
  },
  {
    name: 'a change of an item that loses what it inherits from the index',
    file: 'src/search/index/participant.ts',
    find: 'await withInherited(reader, items)',
    replace: 'items',
    caughtBy: `${tests}/inheritance.test.ts`,
  },
];
