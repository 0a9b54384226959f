import type { EngineDocument, EngineField, EngineTexts, EngineType, EngineValue } from '../../../src/spi/index.ts';

/** Positions between two values: phrases with more words between their tokens are refused. */
export const valueGap = 1000;
/** Id of the document with the position, beside those of entities. */
export const positionId = 'position';
/** Bytes of a value that the engine can index as a whole. */
const maxValueLength = 32_766;

const letters: Readonly<Record<EngineType, string>> = { text: 't', integer: 'i', decimal: 'd' };
const types: Readonly<Record<EngineType, string>> = { text: 'keyword', integer: 'long', decimal: 'double' };

/** Names of the mapped fields of a metadata field. */
interface FieldNames {
  /** Values outside of timespans, for conditions. */
  readonly untimed: string;
  /** Values inside of timespans, for conditions. */
  readonly timed: string;
  /** All values, for facets. */
  readonly all: string;
  /** All values, for sorting. */
  readonly sorted: string;
}

const namesByField = new WeakMap<EngineField, FieldNames>();

export function fieldNames(field: EngineField): FieldNames {
  let names = namesByField.get(field);
  if (!names) {
    names = namesOf(field);
    namesByField.set(field, names);
  }
  return names;
}

function namesOf({ key, type }: EngineField): FieldNames {
  if (!/^[a-z0-9]{1,64}$/.test(key)) throw new Error(`Expected a field key of lower-case letters and digits: "${key}"`);
  const name = (part: string) => `${part}${letters[type]}_${key}`;
  const all = name('a');
  return { untimed: name('u'), timed: name('t'), all, sorted: type === 'text' ? name('s') : all };
}

type Mapping = Readonly<Record<string, unknown>>;

/** Mappings of the fields with values in a document, by their names. */
export function mappingsOf(documents: readonly EngineDocument[]): ReadonlyMap<string, Mapping> {
  const mappings = new Map<string, Mapping>();
  for (const { values } of documents) {
    for (const { field, spans } of values) {
      const { untimed, timed, all, sorted } = fieldNames(field);
      const type = types[field.type];
      // Numbers keep columns beside their trees: a wide range within few entities is read from the column.
      const searched = { type, doc_values: type !== 'keyword' };
      if (spans !== 'timed') mappings.set(untimed, searched);
      if (spans !== 'untimed') mappings.set(timed, searched);
      for (const name of [all, sorted]) mappings.set(name, { type, index: false });
    }
  }
  return mappings;
}

const named = { type: 'keyword', doc_values: false };
const words = { type: 'text', analyzer: 'tokens', position_increment_gap: valueGap };

/** Settings and mapping of a new index. */
export const indexBody = (shards: number, replicas: number) => ({
  settings: {
    index: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // Explicit: without it, refreshes stop while nobody searches.
      refresh_interval: '30s',
      // Tombstones refuse older versions of deleted entities.
      gc_deletes: '10m',
      mapping: { total_fields: { limit: 30_000 } },
    },
    analysis: {
      tokenizer: { blanks: { type: 'whitespace', max_token_length: 32_000 } },
      analyzer: { tokens: { type: 'custom', tokenizer: 'blanks' } },
    },
  },
  mappings: {
    dynamic: false,
    // The service has the metadata.
    _source: { enabled: false },
    properties: {
      id: { type: 'long' },
      entity: { type: 'keyword' },
      created: { type: 'long', index: false },
      // Words once for each document, for completions.
      w: { type: 'keyword', index: false },
      timed: { type: 'boolean', doc_values: false },
      ...Object.fromEntries(['kind', 'context', 'collections', 'libraries', 'uk', 'tk'].map((name) => [name, named])),
      ...Object.fromEntries(['uw', 'tw', 'uf', 'tf'].map((name) => [name, words])),
    },
  },
});

/** Document in the form of the mapping, as one line of JSON. */
export function sourceOf(document: EngineDocument): string {
  const { id, entityId, kind, created, timed, context, collections, libraries, untimed, inTime } = document;
  const json = JSON.stringify({
    ...{ id, kind, created, timed, collections, libraries, entity: entityId },
    w: [...new Set([untimed, inTime].flatMap(({ words }) => tokensIn(words).filter(isCompletable)))],
    ...(context !== null && { context: String(context) }),
    ...textsOf('u', untimed),
    ...textsOf('t', inTime),
  });
  return wellFormed(`${json.slice(0, -1)}${valuesOf(document)}}`);
}

const textsOf = (prefix: string, { words, fieldWords, keys }: EngineTexts) => ({
  [`${prefix}w`]: valuesIn(words),
  [`${prefix}f`]: valuesIn(fieldWords),
  [`${prefix}k`]: tokensIn(keys),
});

const gap = '_gap';

/** Values of a text, which a token separates. */
function valuesIn(text: string): readonly string[] {
  const values: string[] = [];
  const add = (from: number, to: number) => {
    const value = text.slice(from, to).trim();
    if (value !== '') values.push(value);
  };
  let from = 0;
  for (let at = text.indexOf(gap); at >= 0; at = text.indexOf(gap, at + 1)) {
    const end = at + gap.length;
    // A word may have these letters within.
    if ((at > 0 && text[at - 1] !== ' ') || (end < text.length && text[end] !== ' ')) continue;
    add(from, at);
    from = end;
  }
  add(from, text.length);
  return values;
}

/** Longer words are no completions. */
const maxWordLength = 100;
const isCompletable = (token: string): boolean => token !== gap && token.length <= maxWordLength;

const tokensIn = (text: string): readonly string[] => text.split(' ').filter((token) => token !== '');

/** Members of the fields. An object with so many names of its own would take ten times as long to build and to write. */
function valuesOf({ id, values }: EngineDocument): string {
  const lists = new Map<string, string>();
  const add = (name: string, json: string) => {
    const list = lists.get(name);
    lists.set(name, list === undefined ? json : `${list},${json}`);
  };
  for (const { field, value, spans, folded } of values) {
    const { untimed, timed, all, sorted } = fieldNames(field);
    const written = writtenValue(value);
    if (typeof written === 'string' && written.length > maxValueLength / 4) checkLength(written, id);
    const json = JSON.stringify(written);
    if (spans !== 'timed') add(untimed, json);
    if (spans !== 'untimed') add(timed, json);
    add(all, json);
    if (sorted !== all) add(sorted, folded === undefined ? json : JSON.stringify(folded));
  }
  return Array.from(lists, ([name, list]) => `,"${name}":[${list}]`).join('');
}

function checkLength(value: string, id: number): void {
  const bytes = new TextEncoder().encode(value).byteLength;
  if (bytes > maxValueLength)
    throw new Error(`Expected values of at most ${maxValueLength} bytes, in the document ${id}: ${bytes}`);
}

/** Whole numbers beyond 53 bits are sent as texts, which the engine reads without rounding. */
export const writtenValue = (value: EngineValue): string | number =>
  typeof value === 'bigint' ? value.toString() : value;

/** JSON without halves of surrogate pairs, which the engine refuses. */
const wellFormed = (json: string): string =>
  json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json;
