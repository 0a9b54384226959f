import { type FakeIndex, type FieldValue, leastLong, longOf, maxLong, type Stored } from './index.ts';
import { compareValues, type Matcher, readQuery } from './query.ts';
import { illegal, type Json, malformed, onlyEntry, onlyThese, Refused, unfit } from './refusals.ts';

const window = 10_000;
const maxBuckets = 65_535;

const known = [
  ...['query', 'from', 'size', 'sort', 'search_after', 'track_total_hits', 'docvalue_fields', 'aggs', '_source'],
  'timeout',
];

type Key = FieldValue | null;

interface SortClause {
  readonly descending: boolean;
  keyOf(document: Stored, score: number): Key;
  /** Key of a request in the type of the field. */
  read(key: unknown): Key;
}

/** Answer to the body of a search. */
export function search(index: FakeIndex, body: Json, name: string): Json {
  onlyThese(body, 'search', known);
  const { query = { match_all: {} }, from = 0, size = 10, track_total_hits: counts = true } = body;
  if (from + size > window) throw illegal(`Result window is too large: [${from + size}]`);
  if (body.timeout !== undefined && !/^\d+ms$/.test(body.timeout)) throw malformed('failed to parse setting [timeout]');
  const matcher = readQuery(query, index);
  const sort = [body.sort ?? []].flat().map((clause: Json) => readSort(clause, index));
  const after = readAfter(body, sort);
  const matches = [...index.visible.values()].flatMap((document) => {
    const score = matcher(document);
    return score === undefined ? [] : [{ document, keys: sort.map((clause) => clause.keyOf(document, score)) }];
  });
  const order = (one: readonly Key[], other: readonly Key[]) => compareKeys(one, other, sort);
  const page = matches
    .filter(({ keys }) => after === undefined || order(keys, after) > 0)
    .toSorted((one, other) => order(one.keys, other.keys))
    .slice(from, from + size);
  const documents = matches.map(({ document }) => document);
  return {
    timed_out: false,
    hits: {
      ...(counts === true && { total: { value: matches.length, relation: 'eq' } }),
      hits: page.map(({ document, keys }) => ({
        ...{ _index: name, _id: document.id },
        ...(sort.length > 0 && { sort: keys.map(shownKey) }),
        ...fieldsOf(document, body.docvalue_fields ?? [], index),
      })),
    },
    ...(body.aggs && { aggregations: aggregate(body.aggs, index, documents) }),
  };
}

function fieldsOf({ values }: Stored, names: readonly string[], { fields }: FakeIndex): Json {
  const shown = names.flatMap((name) => {
    if (fields.get(name)?.doc_values === false) throw illegal(`Can't load fielddata on [${name}]`);
    const list = values.get(name);
    return list ? [[name, list]] : [];
  });
  return shown.length === 0 ? {} : { fields: Object.fromEntries(shown) };
}

const shownKey = (key: Key): Key => (typeof key === 'number' && !Number.isFinite(key) ? String(key) : key);

function readAfter({ search_after: after, from = 0 }: Json, sort: readonly SortClause[]): readonly Key[] | undefined {
  if (after === undefined) return undefined;
  if (from > 0) throw new Refused(500, 'search_exception', '`from` parameter must be set to 0');
  if (after.length !== sort.length) throw illegal('search_after has another number of values than sort');
  return sort.map((clause, index) => clause.read(after[index]));
}

function compareKeys(one: readonly Key[], other: readonly Key[], sort: readonly SortClause[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const [a, b] = [one[index] ?? null, other[index] ?? null];
    if (a === null && b === null) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const order = compareValues(a, b);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function readSort(clause: Json, { fields }: FakeIndex): SortClause {
  const [field, options] = onlyEntry(clause, 'sort');
  onlyThese(options, 'sort', ['order', 'mode', 'missing', 'unmapped_type']);
  const descending = options.order === 'desc';
  if (field === '_score') return { descending, keyOf: (_, score) => score, read: (key) => key as number };
  const mapping = fields.get(field);
  const type = mapping?.type ?? options.unmapped_type;
  if (type === undefined) throw unfit(`No mapping found for [${field}] in order to sort on`);
  if (type === 'text') throw illegal('Text fields are not optimised for sorting');
  if (mapping?.doc_values === false)
    throw illegal(`Can't load fielddata on [${field}] because fielddata is unsupported`);
  const defaultValue = descending ? 'max' : 'min';
  if ((options.mode ?? defaultValue) !== defaultValue || (options.missing ?? '_last') !== '_last')
    throw malformed('this stand-in sorts the usual way only');
  const missing = missingKey(type, descending);
  return {
    descending,
    keyOf({ values }) {
      const list = [...(values.get(field) ?? [])].toSorted(compareValues);
      return (descending ? list.at(-1) : list[0]) ?? missing;
    },
    read(key) {
      if (type === 'long') {
        const whole = longOf(key);
        if (whole === undefined) throw illegal(`Failed to parse search_after value for field [${field}]`);
        return whole;
      }
      return type === 'double' ? Number(key) : key === null ? null : String(key);
    },
  };
}

/** Missing numbers sort as the last of their type, missing texts behind all. */
function missingKey(type: string, descending: boolean): Key {
  if (type === 'long') return descending ? leastLong : maxLong;
  if (type === 'double') return descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return null;
}

function aggregate(aggs: Json, index: FakeIndex, documents: readonly Stored[]): Json {
  return Object.fromEntries(
    Object.entries<Json>(aggs).map(([name, each]) => {
      const [kind, body] = onlyEntry(each, name);
      if (kind === 'filters') return [name, { buckets: filterBuckets(body, index, documents) }];
      if (kind === 'terms') return [name, { buckets: termBuckets(body, index, documents) }];
      throw malformed(`Unknown aggregation type [${kind}]`);
    }),
  );
}

function filterBuckets(body: Json, index: FakeIndex, documents: readonly Stored[]): Json {
  onlyThese(body, 'filters', ['filters']);
  if (!Array.isArray(body.filters) || body.filters.length === 0) throw illegal('[filters] cannot be empty');
  const matchers: Matcher[] = body.filters.map((filter: Json) => readQuery(filter, index));
  return matchers.map((matcher) => ({
    doc_count: documents.filter((document) => matcher(document) !== undefined).length,
  }));
}

function termBuckets(body: Json, { fields }: FakeIndex, documents: readonly Stored[]): Json {
  onlyThese(body, 'terms', ['field', 'size', 'shard_size', 'min_doc_count', 'order', 'include']);
  const { field, size = 10, min_doc_count: least = 1 } = body;
  if (!(size > 0)) throw new Refused(400, 'x_content_parse_exception', '[terms] failed to parse field [size]');
  if (size > maxBuckets) throw new Refused(503, 'too_many_buckets_exception', 'Trying to create too many buckets');
  const mapping = fields.get(field);
  if (!mapping) return [];
  if (mapping.type === 'text' || mapping.doc_values === false) throw illegal(`Can't load fielddata on [${field}]`);
  if (JSON.stringify(body.order) !== '[{"_count":"desc"},{"_key":"asc"}]')
    throw malformed('this stand-in orders by count and key only');
  const start = /^((?:\\.|[\p{L}\p{N}])*)\.\*$/u.exec(body.include ?? '.*')?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (start === undefined) throw malformed('this stand-in includes words by their beginning only');
  const counts = new Map<FieldValue, number>();
  for (const { values } of documents)
    for (const value of new Set(values.get(field)))
      if (body.include === undefined || String(value).startsWith(start))
        counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= least)
    .toSorted(([one, a], [other, b]) => b - a || compareValues(one, other))
    .slice(0, size)
    .map(([key, count]) => ({ key, doc_count: count }));
}
