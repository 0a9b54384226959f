/**
 * Calls to a remote database: the first time in an isolate that has answered other requests, and the third time. Tests
 * write them, see `recorded.ts`, and `npm run docs` makes the table of docs/operate/edge.md from them.
 */
export const pageCalls: readonly (readonly [name: string, first: number, third: number])[] = [
  ['A tick without work', 1, 1],
  ['`GET /whoami`', 1, 1],
  ['`GET /user/{name}`', 2, 1],
  ['First page of the library', 5, 2],
  ['A search', 4, 2],
  ['Its facets', 4, 2],
  ['A search with its facets', 4, 2],
  ['An item, with all that its page shows', 3, 1],
  ['Fields', 5, 1],
  ['Jobs', 3, 1],
  ['News of a tab, where nothing is new', 1, 1],
  ['Page: a minute of a tab, on a server', 60, 60],
  ['Page: a minute of the library', 3, 3],
  ['Page: open the library', 41, 24],
  ['Page: browse ten items', 153, 153],
  ['Page: a minute of an item', 2, 2],
  ['Page: open an item', 48, 17],
  ['Page: a minute of the jobs', 3, 3],
  ['Page: open the jobs', 18, 12],
];
