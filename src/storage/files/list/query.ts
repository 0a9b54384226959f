import { readBase64 } from '../../../core/lib/bytes.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { matcherOf, prefixesOf, rangeOf } from '../../../core/lib/search-pattern.ts';
import { isDescending } from '../../../core/lib/words.ts';
import { badParameter, choice, flag, list, type Parameter, text, whole } from '../../../http/parameters/index.ts';
import { viewParameters } from '../documents.ts';
import { type FileStateName, fileStates } from '../rules.ts';

export const sortFields = ['fileId', 'size', 'state', 'timestamp', 'filename', 'extension'] as const;
export type SortField = (typeof sortFields)[number];

interface Sort {
  readonly field: SortField;
  readonly descending: boolean | undefined;
}

/** `size desc`, with the blank as browsers and clients write it. Undefined: it is no order. */
function readSort(value: string): Sort | undefined {
  const [name = '', direction, ...more] = value.split(/[\s+]+/);
  const field = sortFields.find((each) => each.toLowerCase() === name.toLowerCase());
  const descending = direction === undefined ? undefined : isDescending(direction);
  if (field === undefined || more.length > 0) return undefined;
  return direction !== undefined && descending === undefined ? undefined : { field, descending };
}

const sort = {
  says: `What the list is ordered by: ${sortFields.join(', ')}, and then "asc" or "desc"`,
  schema: { type: 'string', default: 'fileId asc' },
  defaultValue: { field: 'fileId', descending: undefined },
  required: false,
  list: false,
  expected: `Expected one of ${sortFields.join(', ')}, with "asc" or "desc" behind it`,
  read: readSort,
} as Parameter<Sort>;

/** Some clients send the number of files that they want as `count`. */
type Count = boolean | { readonly pageSize: number };

const total = flag('Whether the answer has the total number of files. A number above 1 is read as "number"', true);

const count = {
  ...total,
  read: (value: string) => total.read(value) ?? (/^\d{1,9}$/.test(value) ? { pageSize: Number(value) } : undefined),
} as Parameter<Count>;

/** Unknown words mean all files, since clients send them. */
const filter = list(text('"item": only files of items. "noitem": only other files. Default: all'));

/** The parameters of lists of files. */
export const fileListParameters = (maxPage: number) => ({
  id: list(text('Only files with these ids')),
  path: text('Only files in this folder, and the file with this path', { defaultValue: '/' }),
  recursive: flag('Includes subfolders', true),
  wildcard: flag('"*" in the path matches any characters with "/", and "?" one character', false),
  ignorecase: flag('Ignores case of the path', false),
  prefix: flag('Adds the folders at the next level', false),
  first: whole('Index of the first file, from 0'),
  start: whole('Alias of "first"'),
  number: whole(`Maximum number of files, up to ${maxPage}. 0: only the total number`, {
    atMost: maxPage,
  }),
  prefixFirst: whole('Index of the first folder, from 0', { defaultValue: 0, max: 100_000 }),
  prefixNumber: whole('Maximum number of folders', { defaultValue: 10, atMost: maxPage }),
  cursor: text(
    '"*" starts a list in pages. For the next page: "nextCursor" of the previous answer. "first" is ignored',
  ),
  count,
  sort,
  'sort-order': choice('Default direction of "sort"', ['asc', 'desc']),
  state: list(choice('Only files in these states', fileStates)),
  hash: list(text('Only files with one of these hashes')),
  algorithm: text('The algorithm of the hashes', { defaultValue: 'SHA-1' }),
  filter,
  excludeQueued: flag('Leaves out files that a job uses. Lists of importable files always do'),
  storage: list(text('Only files of these storages')),
  storageGroup: list(text('Only files of storages in these groups')),
  ...viewParameters,
});

export const defaultPage = 10;

export interface FileOrder {
  readonly field: SortField;
  readonly descending: boolean;
}

/** Texts of which a column must match one, as patterns of the database. */
export interface Matching {
  readonly column: 'path' | 'name' | 'extension';
  readonly any: readonly string[];
}

/** Filter of paths. */
interface PathFilter {
  /** Ranges found by an index: exact paths, folders, paths from one text up to another. Undefined: all paths. */
  readonly within: readonly ListScopePath[] | undefined;
  /** Patterns that paths must match as well. */
  readonly matching: readonly Matching[];
  /** Length of the path prefix below which files in further folders are left out. */
  readonly flatAfter: number | undefined;
}

export type ListScopePath =
  | { readonly kind: 'path'; readonly text: string }
  | { readonly kind: 'folder'; readonly text: string }
  /** Range of paths, or of file names. */
  | { readonly kind: 'range' | 'names'; readonly from: string; readonly to: string | null };

export const anywhere: PathFilter = { within: undefined, matching: [], flatAfter: undefined };

/** Filter and order of a list of files. */
export interface FileQuery {
  readonly ids: readonly string[] | undefined;
  readonly states: readonly FileStateName[] | undefined;
  readonly hashes: { readonly algorithm: string; readonly values: readonly string[] } | undefined;
  /** Whether components use the files. Undefined: used and unused files. */
  readonly used: boolean | undefined;
  /** Only files that no job has queued. */
  readonly unqueued: boolean;
  readonly places: PathFilter;
  readonly order: FileOrder;
}

interface PathQuery {
  readonly path: string;
  readonly recursive: boolean;
  readonly wildcard: boolean;
  readonly ignorecase: boolean;
}

/** Slashes around the path mean nothing: `/in/` is the folder `in`. */
export const withoutOuterSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** The paths that these parameters ask for. `longest`: characters of a pattern. */
export function pathFilter({ path, recursive, wildcard, ignorecase }: PathQuery, longest: number): PathFilter {
  const folder = withoutOuterSlashes(path);
  if (wildcard && /[*?]/.test(path)) return patternPlaces(path.replace(/^\/+/, ''), recursive, ignorecase, longest);
  if (folder === '') return recursive ? anywhere : { ...anywhere, within: [{ kind: 'folder', text: '' }] };
  if (ignorecase) return spelledPlaces(folder, recursive, longest);
  return {
    ...anywhere,
    within: [{ kind: 'path', text: folder }, recursive ? below(folder) : { kind: 'folder', text: `${folder}/` }],
  };
}

/** The character after the slash ends what lies below a folder. */
const below = (folder: string): ListScopePath => ({ kind: 'range', from: `${folder}/`, to: `${folder}0` });

function patternPlaces(pattern: string, recursive: boolean, ignoreCase: boolean, longest: number): PathFilter {
  const prefix = /^[^*?]*/.exec(pattern)![0];
  return {
    within: ranges(prefix, ignoreCase),
    matching: [{ column: 'path', any: [wildcardMatcher(pattern, ignoreCase, longest)] }],
    flatAfter: recursive ? undefined : Array.from(prefix.slice(0, prefix.lastIndexOf('/') + 1)).length,
  };
}

function spelledPlaces(folder: string, recursive: boolean, longest: number): PathFilter {
  checkLength(folder, longest);
  const matcher = matcherOf(folder, true);
  return {
    within: ranges(folder, true),
    matching: [{ column: 'path', any: [matcher, `${matcher}/*`] }],
    flatAfter: recursive ? undefined : Array.from(folder).length + 1,
  };
}

function ranges(literal: string, ignoreCase: boolean): readonly ListScopePath[] | undefined {
  const prefixes = prefixesOf(literal, ignoreCase);
  if (prefixes.length === 0) return undefined;
  return prefixes.map((prefix) => {
    const [from, to] = rangeOf(prefix);
    return { kind: 'range', from, to };
  });
}

/** `*` for any characters, `?` for one. */
export function wildcardMatcher(pattern: string, ignoreCase: boolean, longest: number): string {
  checkLength(pattern, longest);
  return pattern
    .split('?')
    .map((part) => matcherOf(part, ignoreCase))
    .join('?');
}

function checkLength(pattern: string, longest: number): void {
  if (pattern.length > longest)
    throw badParameter('path', `Expected a pattern of at most ${longest} characters`, pattern);
}

/** The last file of a page: the next page begins behind it, whatever is made or deleted meanwhile. */
export interface ListPosition {
  /** By what the list is ordered. Null: its size is not known. */
  readonly key: string | number | null;
  readonly serial: number;
}

/** The text with which a list begins that is gone through in pages. */
const start = '*';

export const cursorOf = ({ field, descending }: FileOrder, { key, serial }: ListPosition): string =>
  textOfBytes(new TextEncoder().encode(JSON.stringify([field, descending ? 1 : 0, key, serial])));

/** Undefined: the list begins. */
export function positionOf(cursor: string, order: FileOrder): ListPosition | undefined {
  if (cursor === start) return undefined;
  const [field, descending, key, serial, ...more] = read(cursor);
  const isKey = key === null || typeof key === 'number' || typeof key === 'string';
  const isOurs = isKey && typeof serial === 'number' && Number.isSafeInteger(serial) && more.length === 0;
  if (isOurs && field === order.field && descending === (order.descending ? 1 : 0)) return { key, serial };
  throw badParameter('cursor', 'Expected "*", or "nextCursor" of a list with the same order', cursor);
}

function read(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(readBase64(cursor) ?? new Uint8Array()));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
