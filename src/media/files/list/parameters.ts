import { choice, flag, list, type Parameter, text, whole } from '../../../http/parameters/index.ts';
import { fileStates } from '../states.ts';
import { viewParameters } from '../view.ts';

export const sortFields = ['fileId', 'size', 'state', 'timestamp', 'filename', 'extension'] as const;
export type SortField = (typeof sortFields)[number];

interface Sort {
  readonly field: SortField;
  readonly descending: boolean | undefined;
}

const directions: ReadonlyMap<string, boolean> = new Map([
  ['asc', false],
  ['ascending', false],
  ['desc', true],
  ['descending', true],
]);

/** `size desc`, with the blank as browsers and clients write it. Undefined: it is no order. */
function readSort(value: string): Sort | undefined {
  const [name = '', direction, ...more] = value.split(/[\s+]+/);
  const field = sortFields.find((each) => each.toLowerCase() === name.toLowerCase());
  const descending = direction === undefined ? undefined : directions.get(direction.toLowerCase());
  if (field === undefined || more.length > 0) return undefined;
  return direction !== undefined && descending === undefined ? undefined : { field, descending };
}

const sort = {
  says: `What the list is ordered by: ${sortFields.join(', ')}, and then "asc" or "desc"`,
  schema: { type: 'string', default: 'fileId asc' },
  usual: { field: 'fileId', descending: undefined },
  required: false,
  list: false,
  expected: `Expected one of ${sortFields.join(', ')}, with "asc" or "desc" behind it`,
  read: readSort,
} as Parameter<Sort>;

/** Some clients send the number of files that they want as `count`. */
type Count = boolean | { readonly pageSize: number };

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

const count = {
  says: 'Whether to tell how many files there are in all; a number above 1 is read as "number"',
  schema: { type: 'boolean', default: true },
  usual: true,
  required: false,
  list: false,
  expected: 'Expected "true" or "false"',
  read: (value: string): Count | undefined =>
    words.get(value.toLowerCase()) ?? (/^\d{1,9}$/.test(value) ? { pageSize: Number(value) } : undefined),
} as Parameter<Count>;

/** Unknown words mean all files, since clients send them. */
const filter = list(text('"item": only files that belong to an item; "noitem": only the others; else all'));

/** The parameters of lists of files. */
export const listParameters = (maxPage: number) => ({
  id: list(text('Only files with these ids')),
  path: text('Only what lies in this folder, and the file of that very path', { usual: '/' }),
  recursive: flag('Also what lies in folders below it', true),
  wildcard: flag('"*" in the path stands for any characters, "/" too, and "?" for one', false),
  ignorecase: flag('Takes capitals and small letters of the path as equal', false),
  prefix: flag('Also tells the folders at the next level', false),
  first: whole('The file to begin with, counted from 0'),
  start: whole('Another name of "first"'),
  number: whole(`How many files to answer, ${maxPage} at most; 0: only how many there are`, {
    atMost: maxPage,
  }),
  prefixFirst: whole('The folder to begin with, counted from 0', { usual: 0, most: 100_000 }),
  prefixNumber: whole('How many folders to answer', { usual: 10, atMost: maxPage }),
  cursor: text(
    '"*" begins a list that is gone through in pages; then "nextCursor" of the answer before. "first" is not looked at',
  ),
  count,
  sort,
  'sort-order': choice('The direction where "sort" says none', ['asc', 'desc']),
  state: list(choice('Only files in these states', fileStates)),
  hash: list(text('Only files with one of these hashes')),
  algorithm: text('The algorithm of the hashes', { usual: 'SHA-1' }),
  filter,
  excludeQueued: flag(
    'Leaves out files that a job names; lists of what can be imported leave them out without it, too',
  ),
  storage: list(text('Only files of these storages')),
  storageGroup: list(text('Only files of storages in these groups')),
  ...viewParameters,
});

export const usualPage = 10;
