import { simpleMetadataDocument, writeXml } from '../../../core/documents/index.ts';
import { fitsWildcard } from '../../../core/lib/search-pattern.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter, list, text } from '../../../http/parameters/index.ts';
import { maxExternalIds } from '../../../room/entities/external-ids/rules.ts';
import { externalIdsOf } from '../../../room/entities/external-ids/store.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import type { MetadataField } from '../documents.ts';
import { definitionOf, type FieldDefinition } from '../known.ts';
import { type Choice, type FieldRow, valuesOf } from './store.ts';

/** Query parameter that requests key-value metadata in definitions. */
export const data = list(text('Keys of the metadata to answer; "*" stands for any characters, "all" for every key'));

type KeyFilter = (key: string) => boolean;

/** Maximum cost of matching keys: characters of patterns times characters of keys. */
const maxSteps = 3_000_000;

/** Filter for requested keys. Undefined: none requested. Results are cached, since many definitions share keys. */
export function keyFilterOf(wanted: readonly string[] | undefined): KeyFilter | undefined {
  if (wanted === undefined || wanted.length === 0) return undefined;
  if (wanted.some((each) => each === 'all' || each === '*')) return () => true;
  const names = new Set(wanted.filter((each) => !each.includes('*')));
  // Only the asterisk is a wildcard; a question mark is a plain character.
  const patterns = [...new Set(wanted.filter((each) => each.includes('*')))];
  const cost = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  const answers = new Map<string, boolean>();
  let steps = 0;
  return (key) => {
    if (names.has(key)) return true;
    if (patterns.length === 0) return false;
    const before = answers.get(key);
    if (before !== undefined) return before;
    steps += cost * key.length;
    if (steps > maxSteps) throw badParameter('data', 'Expected fewer or shorter patterns, or a smaller page');
    const isMatch = patterns.some((pattern) => fitsWildcard(pattern, key));
    answers.set(key, isMatch);
    return isMatch;
  };
}

/** Key of the metadata of a field under which clients read and set its enumeration. */
export const lookupKey = '__values';

/** Keys in lists of fields. `all` leaves enumerations out there: those of a page may be too much for an answer. */
export function keysInLists(wanted: readonly string[] | undefined): KeyFilter | undefined {
  const keys = keyFilterOf(wanted);
  return keys && !wanted?.includes(lookupKey) ? (key) => key !== lookupKey && keys(key) : keys;
}

/** The enumeration as the text that clients know: a document in XML. */
export const lookupText = (choices: readonly Choice[], namespace: string): string =>
  writeXml(simpleMetadataDocument, enumerationFrom(choices), namespace);

/** Enumerations as pairs of the metadata, by field. Yields their sizes, since a page may have megabytes. */
function* lookupPairs(
  enumerations: ReadonlyMap<string, readonly Choice[]>,
  namespace: string,
): Generator<number, ReadonlyMap<string, Pairs>> {
  const pairs = new Map<string, Pairs>();
  for (const [name, choices] of enumerations) {
    if (choices.length === 0) continue;
    const value = lookupText(choices, namespace);
    yield value.length;
    pairs.set(name, [{ key: lookupKey, value }]);
  }
  return pairs;
}

/** Optional parts of a definition. */
export interface FieldView {
  readonly keys: KeyFilter | undefined;
  /** Namespace of enumerations among the metadata. Left out: these show none. */
  readonly namespace?: string;
  readonly includeValues: boolean;
  /** Read only if a single definition is shown. */
  readonly externalIds?: boolean;
}

export const plainView: FieldView = { keys: undefined, includeValues: false, externalIds: true };

type Pairs = readonly { readonly key: string; readonly value: string }[];

/** Documents of fields, in the given order. */
export async function fieldDocuments(
  reader: Reader,
  rows: readonly FieldRow[],
  { keys, namespace, includeValues, externalIds = false }: FieldView,
  site: string,
): Promise<readonly MetadataField[]> {
  const names = rows.map(({ name }) => name);
  const isLookup = namespace !== undefined && keys?.(lookupKey) === true;
  const [data, values, ids] = await Promise.all([
    keys ? keyValuesOf(reader, 'metadata-field', names) : undefined,
    includeValues || isLookup ? valuesOf(reader, names) : undefined,
    externalIds ? externalIdsFor(reader, 'metadata-field', names) : undefined,
  ]);
  const lookups = isLookup ? await runInSlices(lookupPairs(values!, namespace)) : undefined;
  return rows.map((row) => ({
    ...fieldFrom(definitionOf(row), site),
    ...(keys && { data: pairsFrom([...(data?.get(row.name) ?? []), ...(lookups?.get(row.name) ?? [])], keys) }),
    ...ids?.get(row.name),
    ...(includeValues && { values: enumerationFrom(values?.get(row.name)) }),
  }));
}

/** External ids of definitions, as part of their documents. */
export async function externalIdsFor(reader: Reader, type: string, names: readonly string[]) {
  const idsByName = await externalIdsOf(reader, type, names, maxExternalIds);
  return new Map(Array.from(idsByName, ([name, rows]) => [name, { externalId: rows.map((row) => row.externalId) }]));
}

/** Undefined instead of an empty list if no key matches. */
export function pairsFrom(pairs: Pairs = [], keys: KeyFilter): Pairs | undefined {
  const wanted = pairs.filter(({ key }) => keys(key)).map(({ key, value }) => ({ key, value }));
  return wanted.length > 0 ? wanted : undefined;
}

export const enumerationFrom = (choices: readonly Choice[] = []): NonNullable<MetadataField['values']> =>
  choices.length === 0 ? {} : { field: choices.map(({ key, value }) => ({ key, value: { value } })) };

function fieldFrom({ name, type, system, rest }: FieldDefinition, site: string): MetadataField {
  const { restriction, index, ...properties } = rest;
  const { of, ...limits } = restriction ?? {};
  return {
    name,
    type,
    ...properties,
    ...(index && { index }),
    ...(of && { [`${of}Restriction`]: limits }),
    origin: site,
    ...(system && { system: 'true' }),
  };
}
