import { badValue } from '../../../documents/bad-value.ts';
import { prefixesOf, rangeOf } from '../../../lib/search-pattern.ts';
import { hashFrom, usualAlgorithm } from '../hashes.ts';
import { sortFields } from '../list/parameters.ts';
import { type FileQuery, type Matching, type Order, type Within, wildcardMatcher } from '../list/query.ts';
import { type FileStateName, fileStates } from '../states.ts';
import type { FileSearch } from './documents.ts';

export interface SearchedFiles {
  readonly query: FileQuery;
  readonly storages: readonly string[] | undefined;
}

const place = '/FileSearchDocument';
const most = { fields: 20, values: 100 };

const fieldNames = ['fileId', 'storage', 'path', 'filename', 'extension', 'state', 'hash'] as const;
type FieldName = (typeof fieldNames)[number];

/** What a search asks of files, as a list that is asked for it. `longest`: characters of a pattern. */
export function searchFrom(document: FileSearch | undefined, longest: number): SearchedFiles {
  const { text = [], field = [], operator = [], sort = [] } = document ?? {};
  if (operator.length > 0) throw badValue(`${place}/operator`, 'fields and texts that must all fit', 'an operator');
  if (text.length + field.length > most.fields) {
    throw badValue(`${place}/field`, `at most ${most.fields} fields and texts`, String(text.length + field.length));
  }
  const wanted = new Map<FieldName, readonly string[]>();
  for (const { name, value = [] } of field) {
    const known = nameOf(name);
    if (wanted.has(known)) throw badValue(`${place}/field/name`, 'each field once', name);
    if (value.length > most.values) throw badValue(`${place}/field/value`, `at most ${most.values} values`, name);
    // A field without a value asks for files that have it: all of them do.
    if (value.length > 0)
      wanted.set(
        known,
        value.map((each) => each.value),
      );
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
    ...text.map(({ value }): Matching => ({ column: 'path', any: [wildcardMatcher(`*${value}*`, true, longest)] })),
  ];
  const hashes = wanted.get('hash')?.map((hash) => hashFrom(hash, usualAlgorithm, 'hash'));
  return {
    storages: wanted.get('storage'),
    query: {
      ids: wanted.get('fileId'),
      states: wanted.get('state')?.map(stateFrom),
      hashes: hashes && { algorithm: usualAlgorithm, values: hashes },
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

function nameOf(name: string): FieldName {
  const known =
    name.toLowerCase() === 'id' ? 'fileId' : fieldNames.find((each) => each.toLowerCase() === name.toLowerCase());
  if (known) return known;
  throw badValue(`${place}/field/name`, `one of ${fieldNames.join(', ')}`, name);
}

function stateFrom(text: string): FileStateName {
  const state = fileStates.find((each) => each === text.toUpperCase());
  if (state) return state;
  throw badValue(`${place}/field/value`, `one of ${fileStates.join(', ')}`, text);
}

const matchingOf = (column: Matching['column'], values: readonly string[], longest: number): readonly Matching[] =>
  values.length === 0 ? [] : [{ column, any: values.map((value) => wildcardMatcher(value, false, longest)) }];

/** By an index, where each value begins with known characters. Undefined: one may begin with anything. */
function rangesOf(kind: 'range' | 'names', values: readonly string[]): readonly Within[] | undefined {
  const prefixes = [...new Set(values.flatMap((value) => prefixesOf(/^[^*?]*/.exec(value)![0], false)))];
  const known = values.filter((value) => /^[^*?]/.test(value));
  if (values.length === 0 || known.length < values.length) return undefined;
  // A prefix that another one begins would find rows twice.
  const least = prefixes.filter((each) => !prefixes.some((other) => other !== each && each.startsWith(other)));
  return least.map((prefix) => {
    const [from, to] = rangeOf(prefix);
    return { kind, from, to };
  });
}

function orderFrom(sort: NonNullable<FileSearch['sort']>): Order {
  const [first] = sort;
  if (!first) return { field: 'fileId', descending: false };
  const field = sortFields.find((each) => each.toLowerCase() === first.field.toLowerCase());
  if (field) return { field, descending: first.order === 'descending' };
  throw badValue(`${place}/sort/field`, `one of ${sortFields.join(', ')}`, first.field);
}
