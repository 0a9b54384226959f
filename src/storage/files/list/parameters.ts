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
  says: 'Whether the answer has the total number of files. A number above 1 is read as "number"',
  schema: { type: 'boolean', default: true },
  usual: true,
  required: false,
  list: false,
  expected: 'Expected "true" or "false"',
  read: (value: string): Count | undefined =>
    words.get(value.toLowerCase()) ?? (/^\d{1,9}$/.test(value) ? { pageSize: Number(value) } : undefined),
} as Parameter<Count>;

/** Unknown words mean all files, since clients send them. */
const filter = list(text('"item": only files of items. "noitem": only other files. Default: all'));

/** The parameters of lists of files. */
export const fileListParameters = (maxPage: number) => ({
  id: list(text('Only files with these ids')),
  path: text('Only files in this folder, and the file with this path', { usual: '/' }),
  recursive: flag('Includes subfolders', true),
  wildcard: flag('"*" in the path matches any characters with "/", and "?" one character', false),
  ignorecase: flag('Ignores case of the path', false),
  prefix: flag('Adds the folders at the next level', false),
  first: whole('Index of the first file, from 0'),
  start: whole('Alias of "first"'),
  number: whole(`Maximum number of files, up to ${maxPage}. 0: only the total number`, {
    atMost: maxPage,
  }),
  prefixFirst: whole('Index of the first folder, from 0', { usual: 0, most: 100_000 }),
  prefixNumber: whole('Maximum number of folders', { usual: 10, atMost: maxPage }),
  cursor: text(
    '"*" starts a list in pages. For the next page: "nextCursor" of the previous answer. "first" is ignored',
  ),
  count,
  sort,
  'sort-order': choice('Default direction of "sort"', ['asc', 'desc']),
  state: list(choice('Only files in these states', fileStates)),
  hash: list(text('Only files with one of these hashes')),
  algorithm: text('The algorithm of the hashes', { usual: 'SHA-1' }),
  filter,
  excludeQueued: flag('Leaves out files that a job uses. Lists of importable files always do'),
  storage: list(text('Only files of these storages')),
  storageGroup: list(text('Only files of storages in these groups')),
  ...viewParameters,
});

export const usualPage = 10;
