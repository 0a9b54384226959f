import { badValue } from '../../core/documents/error.ts';
import { prefixesOf, rangeOf } from '../../core/lib/search-pattern.ts';
import type { LimitedReader } from '../../core/store/statement.ts';
import { boundsFor } from '../../room/entities/search-sql.ts';
import type { StorageParts } from '../parts.ts';
import { findFiles, usageIn } from './list/find.ts';
import { type FileOrder, type FileQuery, type ListScopePath, type Matching, wildcardMatcher } from './list/query.ts';
import { defaultAlgorithm, type FileStateName, fileStates, hashFrom } from './rules.ts';

/** Conditions of a file search, all of which must match. Only columns of the file table are searched. */
export interface FileSearch {
  /** Texts that the path must contain. Case is ignored. */
  readonly text?: readonly string[];
  /** Conditions by field, each field at most once. One value must match; `*` stands for any characters. */
  readonly field?: readonly { readonly name: FieldName; readonly values: readonly string[] }[];
  readonly sort?: readonly FileOrder[];
}

interface SearchedFiles {
  readonly query: FileQuery;
  readonly storages: readonly string[] | undefined;
}

const place = '/FileSearchDocument';
const max = { fields: 20, values: 100 };

export const fieldNames = ['fileId', 'storage', 'path', 'filename', 'extension', 'state', 'hash'] as const;
export type FieldName = (typeof fieldNames)[number];

/** List query for a search document. `longest`: maximal number of characters in a pattern. */
function fileSearchFrom(document: FileSearch, longest: number): SearchedFiles {
  const { text = [], field = [], sort = [] } = document;
  if (text.length + field.length > max.fields) {
    throw badValue(`${place}/field`, `at most ${max.fields} fields and texts`, String(text.length + field.length));
  }
  const wanted = new Map<FieldName, readonly string[]>();
  for (const { name, values } of field) {
    if (values.length > max.values) throw badValue(`${place}/field/value`, `at most ${max.values} values`, name);
    wanted.set(name, values);
  }
  const patterns = (name: 'path' | 'filename' | 'extension') => wanted.get(name) ?? [];
  const matching = [
    ...matchingOf('path', patterns('path'), longest),
    ...matchingOf('name', patterns('filename'), longest),
    ...matchingOf(
      'extension',
      patterns('extension').map((each) => each.toLowerCase()),
      longest,
    ),
    ...text.map((value): Matching => ({ column: 'path', any: [wildcardMatcher(`*${value}*`, true, longest)] })),
  ];
  const hashes = wanted.get('hash')?.map((hash) => hashFrom(hash, defaultAlgorithm, 'hash'));
  return {
    storages: wanted.get('storage'),
    query: {
      ids: wanted.get('fileId'),
      states: wanted.get('state')?.map(stateFrom),
      hashes: hashes && { algorithm: defaultAlgorithm, values: hashes },
      used: undefined,
      unqueued: false,
      places: {
        within: rangesOf('range', patterns('path')) ?? rangesOf('names', patterns('filename')),
        matching,
        flatAfter: undefined,
      },
      order: orderFrom(sort),
    },
  };
}

function stateFrom(text: string): FileStateName {
  const state = fileStates.find((each) => each === text.toUpperCase());
  if (state) return state;
  throw badValue(`${place}/field/value`, `one of ${fileStates.join(', ')}`, text);
}

const matchingOf = (column: Matching['column'], values: readonly string[], longest: number): readonly Matching[] =>
  values.length === 0 ? [] : [{ column, any: values.map((value) => wildcardMatcher(value, false, longest)) }];

/** By an index, where each value begins with known characters. Undefined: one may begin with anything. */
function rangesOf(kind: 'range' | 'names', values: readonly string[]): readonly ListScopePath[] | undefined {
  const prefixes = [...new Set(values.flatMap((value) => prefixesOf(/^[^*?]*/.exec(value)![0], false)))];
  const anchored = values.filter((value) => /^[^*?]/.test(value));
  if (values.length === 0 || anchored.length < values.length) return undefined;
  // A prefix that another one begins would find rows twice.
  const least = prefixes.filter((each) => !prefixes.some((other) => other !== each && each.startsWith(other)));
  return least.map((prefix) => {
    const [from, to] = rangeOf(prefix);
    return { kind, from, to };
  });
}

const orderFrom = ([first]: FileSearch['sort'] = []): FileOrder => first ?? { field: 'fileId', descending: false };

/** A page of files that fit, with the plans of lists: they look at few rows. */
export async function findFilesBy(
  { store, settings }: Pick<StorageParts, 'store' | 'settings'>,
  reader: LimitedReader,
  document: FileSearch,
  { counts, ...page }: { readonly offset: number; readonly limit: number; readonly counts: boolean },
) {
  const bounds = boundsFor(store.kind, settings);
  const { query, storages } = fileSearchFrom(document, bounds.pattern);
  return findFiles({
    reader,
    kind: store.kind,
    bounds,
    usage: await usageIn(reader, { storage: undefined, storages, groups: undefined, importables: false }),
    query,
    slice: { after: undefined, ...page },
    counts,
  });
}
