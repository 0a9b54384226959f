import { inByteOrder } from '../../../src/core/lib/bytes.ts';
import { type FakeIndex, type FieldMapping, type FieldValue, longOf, type Stored } from './index.ts';
import { illegal, type Json, malformed, onlyEntry, onlyThese, Refused, unfit } from './refusals.ts';
import { spansOf } from './spans.ts';
import { wordTest } from './word-tests.ts';

/** Score of a document. Undefined: the document does not match. */
export type Matcher = (document: Stored) => number | undefined;

const maxTerms = 65_536;
const maxClauses = 1_024;
/** Bytes of the end of a range of texts, in version 2. */
const maxEndLength = 1_000;
const utf8 = new TextEncoder();

/** Reads a query as strictly as the engine does. */
export function readQuery(query: Json, index: FakeIndex): Matcher {
  const count = { leaves: 0 };
  const matcher = read(query, index, count);
  if (count.leaves > maxClauses) throw new Refused(500, 'too_many_nested_clauses', 'maxClauseCount is set to 1024');
  return matcher;
}

interface Count {
  leaves: number;
}

function read(query: Json, index: FakeIndex, count: Count): Matcher {
  const [kind, body] = onlyEntry(query, 'query');
  const reader = kinds[kind];
  if (!reader || !Object.hasOwn(kinds, kind)) throw malformed(`unknown query [${kind}]`);
  if (kind !== 'bool' && kind !== 'constant_score') count.leaves++;
  return reader(body, index, count);
}

const scoreWhen =
  (test: (document: Stored) => boolean): Matcher =>
  (document) =>
    test(document) ? 1 : undefined;

const kinds: Readonly<Record<string, (body: Json, index: FakeIndex, count: Count) => Matcher>> = {
  match_all: (body) => {
    onlyThese(body, 'match_all', ['boost']);
    return () => body.boost ?? 1;
  },
  match_none: () => () => undefined,
  bool: readBool,
  constant_score(body, index, count) {
    onlyThese(body, 'constant_score', ['filter', 'boost']);
    const { boost = 1 } = body;
    if (boost < 0) throw illegal('negative [boost] are not allowed');
    const inner = read(body.filter, index, count);
    return (document) => (inner(document) === undefined ? undefined : boost);
  },
  term: (body, index) => readTerms(body, index, (value) => [value?.value ?? value]),
  terms: (body, index) => readTerms(body, index, (value) => value),
  range: readRange,
  exists(body, index) {
    onlyThese(body, 'exists', ['field']);
    return scoreWhen(({ values }) => index.fields.has(body.field) && values.has(body.field));
  },
  prefix: readWordQuery('prefix'),
  wildcard: readWordQuery('wildcard'),
  fuzzy: readWordQuery('fuzzy'),
  match_phrase(body, index) {
    const [field, given] = onlyEntry(body, 'match_phrase');
    onlyThese(given, 'match_phrase', ['query']);
    const words = String(given.query).split(/\s+/);
    const clauses = words.map((word) => ({ span_term: { [field]: word } }));
    return spanMatcher({ span_near: { clauses, slop: 0, in_order: true } }, index);
  },
  span_near: (body, index) => spanMatcher({ span_near: body }, index),
  span_term: (body, index) => spanMatcher({ span_term: body }, index),
  span_multi: (body, index) => spanMatcher({ span_multi: body }, index),
};

function spanMatcher(query: Json, index: FakeIndex): Matcher {
  const spans = spansOf(query, index.fields);
  return scoreWhen((document) => spans(document).length > 0);
}

function readBool(body: Json, index: FakeIndex, count: Count): Matcher {
  onlyThese(body, 'bool', ['must', 'filter', 'should', 'must_not']);
  const [must, filter, should, mustNot] = ['must', 'filter', 'should', 'must_not'].map((name) => {
    const clauses = [body[name] ?? []].flat();
    if (clauses.length > maxClauses) throw unfit('failed to create query: maxClauseCount is set to 1024');
    return clauses.map((each: Json) => read(each, index, count));
  }) as [Matcher[], Matcher[], Matcher[], Matcher[]];
  return (document) => {
    let score = 0;
    for (const matcher of must) {
      const part = matcher(document);
      if (part === undefined) return undefined;
      score += part;
    }
    if (filter.some((matcher) => matcher(document) === undefined)) return undefined;
    if (mustNot.some((matcher) => matcher(document) !== undefined)) return undefined;
    const parts = should.flatMap((matcher) => matcher(document) ?? []);
    if (should.length > 0 && must.length + filter.length === 0 && parts.length === 0) return undefined;
    return parts.reduce((sum, part) => sum + part, score);
  };
}

/** Mapping of a field that can be searched. Undefined: the field is unknown, and nothing matches. */
function searchable(name: string, { fields }: FakeIndex): FieldMapping | undefined {
  const mapping = fields.get(name);
  if (mapping?.index === false) throw unfit(`Cannot search on field [${name}] since it is not indexed`);
  return mapping;
}

/** Value of a query in the type of the field. */
function valueFor({ type }: FieldMapping, value: unknown): FieldValue {
  if (type === 'long') {
    const whole = longOf(value);
    if (whole === undefined) throw unfit(`failed to create query: Value [${value}] is out of range for a long`);
    return whole;
  }
  if (type === 'double') return Number(value);
  if (type === 'boolean') return value === true || value === 'true';
  return String(value);
}

function readTerms(body: Json, index: FakeIndex, list: (value: Json) => readonly unknown[]): Matcher {
  const [field, given] = onlyEntry(body, 'terms');
  const wanted = list(given);
  if (!Array.isArray(wanted)) throw malformed('[terms] query requires a list of values');
  if (wanted.length > maxTerms)
    throw unfit(`failed to create query: The number of terms [${wanted.length}] has exceeded`);
  const mapping = field === '_id' ? undefined : searchable(field, index);
  if (field === '_id') return scoreWhen(({ id }) => wanted.map(String).includes(id));
  if (!mapping) return () => undefined;
  const among = new Set(wanted.map((value) => valueFor(mapping, value)));
  if (mapping.type === 'text')
    return scoreWhen(({ tokens }) => [...(tokens.get(field)?.values() ?? [])].some((token) => among.has(token)));
  return scoreWhen(({ values }) => (values.get(field) ?? []).some((value) => among.has(value)));
}

export function compareValues(one: FieldValue, other: FieldValue): number {
  if (typeof one === 'string' || typeof other === 'string') return inByteOrder(String(one), String(other));
  return Number(one > other) - Number(one < other);
}

const ends: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function readRange(body: Json, index: FakeIndex): Matcher {
  const [field, given] = onlyEntry(body, 'range');
  onlyThese(given, 'range', Object.keys(ends));
  const mapping = searchable(field, index);
  if (!mapping) return () => undefined;
  if (Object.values(given).some((end) => typeof end === 'string' && utf8.encode(end).byteLength > maxEndLength))
    throw unfit('failed to create query: input automaton is too large: 1001');
  const tests = Object.entries(given).map(([name, value]) => [ends[name]!, valueFor(mapping, value)] as const);
  return scoreWhen(({ values }) =>
    (values.get(field) ?? []).some((value) => tests.every(([test, end]) => test(compareValues(value, end)))),
  );
}

function readWordQuery(kind: string) {
  return (body: Json, index: FakeIndex): Matcher => {
    const { field, test } = wordTest({ [kind]: body });
    const mapping = searchable(field, index);
    if (!mapping) return () => undefined;
    if (mapping.type !== 'text' && mapping.type !== 'keyword')
      throw unfit(`Can only use ${kind} queries on keyword and text fields`);
    return scoreWhen(({ values, tokens }) =>
      mapping.type === 'text'
        ? [...(tokens.get(field)?.values() ?? [])].some(test)
        : (values.get(field) ?? []).some((value) => test(String(value))),
    );
  };
}
