import { readFile } from 'node:fs/promises';
import { pageCalls } from '../remote/page-calls.ts';

/** Calls before tabs stopped to ask and requests read ahead, as they were measured then. An idle minute: 20 seconds, times three. */
const before: ReadonlyMap<string, number> = new Map([
  ['`GET /whoami`', 1],
  ['`GET /user/{name}`', 3],
  ['First page of the library', 5],
  ['A search', 3],
  ['Its facets', 4],
  ['A search with its facets', 4],
  ['An item, with all that its page shows', 5],
  ['Fields', 6],
  ['Jobs', 5],
  ['News of a tab, where nothing is new', 2],
  ['A tick without work', 1],
  ['Page: open the library', 45],
  ['Page: open an item', 70],
  ['Page: open the jobs', 37],
  ['Page: browse ten items', 330],
  ['Page: a minute of the library', 114],
  ['Page: a minute of an item', 234],
  ['Page: a minute of the jobs', 153],
  ['Page: a minute of a tab, on a server', 141],
]);

const path = 'docs/operate/edge.md';
const [open, close] = ['<!-- calls -->\n', '<!-- /calls -->'];

/** The page with the table of calls between its marks. */
export async function edgePage(): Promise<readonly [path: string, text: string]> {
  const text = await readFile(path, 'utf8');
  const measured = new Map(pageCalls.map(([name, ...calls]) => [name, calls]));
  const rows = Array.from(
    before,
    ([name, count]) => `| ${[name, count, ...(measured.get(name) ?? [])].join(' | ')} |\n`,
  );
  const head = '\n| what | before | the first time | the third time |\n|---|---|---|---|\n';
  const [above = '', behind = ''] = text.split(new RegExp(`(?<=${open})[\\s\\S]*(?=${close})`));
  return [path, `${above}${head}${rows.join('')}\n${behind}`];
}
