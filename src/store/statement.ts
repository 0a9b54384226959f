import { Column, is, Param, Placeholder, SQL, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { ServiceError } from '../lib/errors.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type { BoundedReads, Database, Reduced, Refusal, Row, RowCount, Statement, Value } from './contract.ts';

/**
 * Statements are built with drizzle once, at their first use, and only filled for each request: building takes longer
 * than running. Most statements are never used in a run. `sql.placeholder('name')` marks values.
 */

export { sql };

const unbound = () => Promise.reject(new Error('A builder has no database: use prepareStatement or prepareQuery'));
const builder = drizzle(unbound);
const dialect = new SQLiteAsyncDialect();

type Builder = typeof builder;
export type Values = Readonly<Record<string, unknown>>;

export interface Reader extends Pick<Database, 'read'> {
  /** Left out: the reader itself. Answers at once what a query would wait for a thread for. */
  readonly lookups?: Pick<Database, 'read'>;
  /** For reads of a bounded number of rows. Left out where no thread could take over those that take long. */
  readonly bounded?: BoundedReads | undefined;
  /** Left out where no thread could count. */
  readonly tally?: ((sql: string, args: readonly Value[], reduced: Reduced) => Maybe<Row[]>) | undefined;
  /** Key for caches, shared by all readers of a database. Default: the reader itself. */
  readonly origin?: object;
}

/**
 * A reader whose reads take a share of one account and have a time limit. What a caller may make expensive asks for one,
 * and the store itself is none.
 */
export interface LimitedReader extends Reader {
  readonly isLimited: true;
  /** True: the reader of a reading on a reader thread. */
  readonly isReaderThread?: true;
}

/** For look-ups by key beside reads whose work grows with the number of rows. */
export const lookupsOf = (reader: Reader): Reader => reader.lookups ?? reader;

/** Filled values, and the answer to the caller when the statement breaks a constraint. */
export type PreparedStatement<V extends Values> = (values: V, refusal?: Refusal) => Statement;

export interface PreparedQuery<R, V extends Values> {
  (reader: Reader, values: V): Maybe<R[]>;
  /** Counts the rows that it would answer and their bytes. No row leaves the engine. */
  size(reader: Reader, values: V): Maybe<Size>;
}

interface Size {
  readonly rows: number;
  readonly bytes: number;
}

interface Buildable {
  toSQL(): { sql: string; params: unknown[] };
}

interface Queryable extends Buildable, PromiseLike<unknown> {
  prepare(): unknown;
}

type RowOf<Q> = Q extends PromiseLike<infer R> ? (R extends readonly (infer One)[] ? One : never) : never;

/** Source of a statement: the builder of drizzle, or a template for SQL that the builder cannot express. */
type Source<Q> = ((builder: Builder) => Q) | SQL;

/** A change, for `CommitPlan.changes`. */
export function prepareStatement<V extends Values = Values>(source: Source<Buildable>): PreparedStatement<V> {
  const built = onFirstUse(() => compile(source instanceof SQL ? dialect.sqlToQuery(source) : source(builder).toSQL()));
  return (values, refusal) => {
    const { text, fill } = built();
    return refusal === undefined ? { sql: text, args: fill(values) } : { sql: text, args: fill(values), refusal };
  };
}

/** A query of the builder, whose rows have the type of its selection. */
export function prepareQuery<Q extends Queryable, V extends Values = Values>(
  build: (builder: Builder) => Q,
  most?: RowCount,
): PreparedQuery<RowOf<Q>, V>;
/** A query in SQL, whose result columns, in order, have the types of the selection. */
export function prepareQuery<S extends Selection, V extends Values = Values>(
  template: SQL,
  selection: S,
  most?: RowCount,
): PreparedQuery<Selected<S>, V>;
export function prepareQuery<V extends Values>(
  source: Source<Queryable>,
  second: Selection | RowCount = 'all',
  most: RowCount = 'all',
): PreparedQuery<unknown, V> {
  if (source instanceof SQL) return queryFrom(() => builtFrom(source, second as Selection), most);
  return queryFrom(() => {
    const query = source(builder);
    const prepared = query.prepare() as PreparedInside;
    const mapRest = (rows: readonly Row[]) => prepared.mapResult({ rows }, true) as unknown[];
    const { fields } = prepared;
    return { ...compile(query.toSQL()), columns: fields?.length ?? 1, map: mapperOf(fields) ?? mapRest };
  }, second as RowCount);
}

function builtFrom(template: SQL, selection: Selection): Built {
  const fields = Object.entries(selection).map(([name, field]) => ({ path: [name], field }));
  return { ...compile(dialect.sqlToQuery(template)), columns: fields.length, map: mapperOf(fields)! };
}

interface Built extends Compiled {
  readonly columns: number;
  readonly map: (rows: readonly Row[]) => unknown[];
}

function queryFrom<V extends Values>(build: () => Built, most: RowCount): PreparedQuery<unknown, V> {
  const built = onFirstUse(build);
  const sized = onFirstUse(() => {
    const { text, columns } = built();
    const names = Array.from({ length: columns }, (_, index) => `c${index}`);
    const bytes = names.map((name) => `IFNULL(octet_length(${name}), 0)`).join(' + ');
    return `WITH page (${names.join(', ')}) AS (${text}) SELECT COUNT(*), TOTAL(${bytes}) FROM page`;
  });
  const query = (reader: Reader, values: V) => {
    const { text, fill, map } = built();
    return after(reader.read(text, fill(values), most), map);
  };
  const size = (reader: Reader, values: V) =>
    after(reader.read(sized(), built().fill(values), 'one'), ([row]) => ({
      rows: Number(row![0]),
      bytes: Number(row![1]),
    }));
  return Object.assign(query, { size });
}

type Selection = Readonly<Record<string, Column | SQL>>;
type Selected<S extends Selection> = {
  [K in keyof S]: S[K] extends Column
    ? S[K]['_']['notNull'] extends true
      ? S[K]['_']['data']
      : S[K]['_']['data'] | null
    : S[K] extends SQL<infer T>
      ? T
      : never;
};

type PreparedLookup<R, V extends Values> = (reader: Reader, values: V) => Maybe<R | undefined>;

/** The first row of a query, for look-ups by key. */
export function prepareLookup<Q extends Queryable, V extends Values = Values>(
  build: (builder: Builder) => Q,
): PreparedLookup<RowOf<Q>, V>;
export function prepareLookup<S extends Selection, V extends Values = Values>(
  template: SQL,
  selection: S,
): PreparedLookup<Selected<S>, V>;
export function prepareLookup<V extends Values>(
  source: Source<Queryable>,
  selection: Selection = {},
): PreparedLookup<unknown, V> {
  const query = source instanceof SQL ? prepareQuery(source, selection, 'one') : prepareQuery(source, 'one');
  return (reader, values) => after(query(reader, values), (rows) => rows[0]);
}

interface Compiled {
  readonly text: string;
  fill(values: Values): Value[];
}

export const compileSql = (template: SQL): (() => Compiled) => onFirstUse(() => compile(dialect.sqlToQuery(template)));

function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Like drizzle's `fillPlaceholders`, with type checks once instead of for each execution. */
function compile({ sql: text, params }: { sql: string; params: unknown[] }): Compiled {
  const slots = params.map(slotOf);
  return {
    text,
    fill(values) {
      const filled = new Array<unknown>(slots.length);
      // A loop, since each commit fills several: a closure for each value takes as long as its statement.
      for (let index = 0; index < slots.length; index++) {
        const { name, fixed, encoder, isInherited } = slots[index]!;
        if (name === undefined) {
          filled[index] = fixed;
          continue;
        }
        const value = isInherited && !Object.hasOwn(values, name) ? undefined : values[name];
        if (value === undefined) throw noValue(name);
        filled[index] = encoder === undefined || value === null ? value : encoder.mapToDriverValue(value);
      }
      return filled as Value[];
    },
  };
}

/** Slot of a bound value. */
interface Slot {
  /** Name of the placeholder. Undefined: the value is constant. */
  readonly name: string | undefined;
  readonly fixed: unknown;
  /** Undefined: the value is bound unchanged. */
  readonly encoder: Param['encoder'] | undefined;
  /** Whether every object inherits a property of this name. */
  readonly isInherited: boolean;
}

function slotOf(param: unknown): Slot {
  const inside = is(param, Param) ? param.value : param;
  if (!is(inside, Placeholder)) return { name: undefined, fixed: param, encoder: undefined, isInherited: false };
  const { name } = inside;
  const encoder = is(param, Param) && encodes(param.encoder) ? param.encoder : undefined;
  return { name, fixed: undefined, encoder, isInherited: name in Object.prototype };
}

/** Whether the column converts values. Most do not. */
const encodes = ({ mapToDriverValue }: Param['encoder']): boolean =>
  mapToDriverValue !== Column.prototype.mapToDriverValue;

const noValue = (name: string) =>
  new ServiceError('internal', { explanation: `No value for the placeholder "${name}"` });

/** Internals of a prepared query in drizzle 0.45. */
interface PreparedInside {
  readonly fields?: readonly Field[];
  mapResult(response: unknown, isFromBatch: boolean): unknown;
}

interface Field {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Rows to objects; undefined when the shape is more than a flat record, which drizzle then maps itself. */
function mapperOf(fields: readonly Field[] | undefined): ((rows: readonly Row[]) => unknown[]) | undefined {
  if (fields === undefined || fields.some(({ path }) => path.length !== 1)) return undefined;
  const decoders = fields.map(({ path, field }) => ({ name: path[0]!, decoder: decoderOf(field) }));
  return (rows) =>
    rows.map((row) => {
      const record: Record<string, unknown> = {};
      for (let index = 0; index < decoders.length; index++) {
        const { name, decoder } = decoders[index]!;
        const value = row[index]!;
        record[name] = value === null ? null : decoder.mapFromDriverValue(value);
      }
      return record;
    });
}

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const template = is(field, SQL) ? field : (field as { sql: SQL }).sql;
  return (template as unknown as { decoder: Decoder }).decoder;
}
