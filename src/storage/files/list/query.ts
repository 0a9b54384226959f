import { matcherOf, prefixesOf, rangeOf } from '../../../core/lib/search-pattern.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { FileStateName } from '../states.ts';
import type { SortField } from './parameters.ts';

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

function ranges(known: string, ignoreCase: boolean): readonly ListScopePath[] | undefined {
  const prefixes = prefixesOf(known, ignoreCase);
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
