import { Column, is, Param, Placeholder, SQL, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { ServiceError } from '../lib/errors.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type { BoundedReads, Database, Reduced, Refusal, Row, RowCount, Statement, Value } from './contract.ts';

/**
 * Statements are built with drizzle once, when they are used first, and only filled per request: building costs more
 * than running. A start would build hundreds of them, and use ten. `sql.placeholder('name')` marks what is filled.
 */

export { sql };

const unbound = () => Promise.reject(new Error('A builder has no database: use prepareStatement or prepareQuery'));
const builder = drizzle(unbound);
const dialect = new SQLiteAsyncDialect();

export type Builder = typeof builder;
export type Values = Readonly<Record<string, unknown>>;

export interface Reader extends Pick<Database, 'read'> {
  /** Left out: the reader itself. Answers at once what a query would wait for a thread for. */
  readonly lookups?: Pick<Database, 'read'>;
  /** For reads of a bounded number of rows. Left out where no thread could take over those that take long. */
  readonly bounded?: BoundedReads | undefined;
  /** Left out where no thread could count. */
  readonly tally?: ((sql: string, args: readonly Value[], reduced: Reduced) => Maybe<Row[]>) | undefined;
  /** Left out: the reader itself. The same for all readers of a database: what is remembered of it is kept by this. */
  readonly origin?: object;
}

/**
 * A reader whose reads take a share of one account and have a time limit. What a caller may make expensive asks for one,
 * and the store itself is none.
 */
export interface LimitedReader extends Reader {
  readonly isLimited: true;
  /** Throws on the serving thread where a reader thread can do the reading instead, which then begins anew there. */
  leaveServingThread?(): void;
}

/** For look-ups by key beside reads whose work grows with the number of rows. */
export const lookupsOf = (reader: Reader): Reader => reader.lookups ?? reader;

/** Filled values, and the answer to the caller when the statement breaks a constraint. */
export type PreparedStatement<V extends Values> = (values: V, refusal?: Refusal) => Statement;

export type PreparedQuery<R, V extends Values> = (reader: Reader, values: V) => Maybe<R[]>;

interface Buildable {
  toSQL(): { sql: string; params: unknown[] };
}

interface Queryable extends Buildable, PromiseLike<unknown> {
  prepare(): unknown;
}

type RowOf<Q> = Q extends PromiseLike<infer R> ? (R extends readonly (infer One)[] ? One : never) : never;

/** A change, for `Work.changes`. */
export function prepareStatement<V extends Values = Values>(
  build: (builder: Builder) => Buildable,
): PreparedStatement<V> {
  return statementFrom(() => build(builder).toSQL());
}

/** The same for what the builder cannot say. */
export function prepareSqlStatement<V extends Values = Values>(template: SQL): PreparedStatement<V> {
  return statementFrom(() => dialect.sqlToQuery(template));
}

/** A read; its rows have the type of what it selects. */
export function prepareQuery<Q extends Queryable, V extends Values = Values>(
  build: (builder: Builder) => Q,
  most: RowCount = 'all',
): PreparedQuery<RowOf<Q>, V> {
  const built = onFirstUse(() => {
    const query = build(builder);
    const prepared = query.prepare() as PreparedInside;
    const mapRest = (rows: readonly Row[]) => prepared.mapResult({ rows }, true) as unknown[];
    return { ...compile(query.toSQL()), map: mapperOf(prepared.fields) ?? mapRest };
  });
  return (reader, values) => {
    const { text, fill, map } = built();
    return after(reader.read(text, fill(values), most), map) as Maybe<RowOf<Q>[]>;
  };
}

/** The first row of a query, for look-ups by key. */
export function prepareLookup<Q extends Queryable, V extends Values = Values>(build: (builder: Builder) => Q) {
  const query = prepareQuery<Q, V>(build, 'one');
  return (reader: Reader, values: V): Maybe<RowOf<Q> | undefined> => after(query(reader, values), (rows) => rows[0]);
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

/** A read in SQL (recursive queries), whose result columns, in order, are of the types of the selection. */
export function prepareSqlQuery<S extends Selection, V extends Values = Values>(
  template: SQL,
  selection: S,
  most: RowCount = 'all',
): PreparedQuery<Selected<S>, V> {
  const built = onFirstUse(() => {
    const map = mapperOf(Object.entries(selection).map(([name, field]) => ({ path: [name], field })))!;
    return { ...compile(dialect.sqlToQuery(template)), map };
  });
  return (reader, values) => {
    const { text, fill, map } = built();
    return after(reader.read(text, fill(values), most), map) as Maybe<Selected<S>[]>;
  };
}

/** Its first row, for look-ups. */
export function prepareSqlLookup<S extends Selection, V extends Values = Values>(template: SQL, selection: S) {
  const query = prepareSqlQuery<S, V>(template, selection, 'one');
  return (reader: Reader, values: V): Maybe<Selected<S> | undefined> => after(query(reader, values), (rows) => rows[0]);
}

export interface Compiled {
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

function statementFrom<V extends Values>(query: () => { sql: string; params: unknown[] }): PreparedStatement<V> {
  const built = onFirstUse(() => compile(query()));
  return (values, refusal) => {
    const { text, fill } = built();
    return refusal === undefined ? { sql: text, args: fill(values) } : { sql: text, args: fill(values), refusal };
  };
}

/** What drizzle's `fillPlaceholders` does, with the questions about types asked once and not per execution. */
function compile({ sql: text, params }: { sql: string; params: unknown[] }): Compiled {
  const slots = params.map(slotOf);
  return {
    text,
    fill(values) {
      const filled = new Array<unknown>(slots.length);
      // A loop: every commit fills a few of these, and a closure for each value takes as long as to run its statement.
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

/** Where a value goes. */
interface Slot {
  /** Of the placeholder. Undefined: the value is fixed. */
  readonly name: string | undefined;
  readonly fixed: unknown;
  /** Undefined: the value goes as it is. */
  readonly encoder: Param['encoder'] | undefined;
  /** Every object has something of that name. */
  readonly isInherited: boolean;
}

function slotOf(param: unknown): Slot {
  const inside = is(param, Param) ? param.value : param;
  if (!is(inside, Placeholder)) return { name: undefined, fixed: param, encoder: undefined, isInherited: false };
  const { name } = inside;
  const encoder = is(param, Param) && encodes(param.encoder) ? param.encoder : undefined;
  return { name, fixed: undefined, encoder, isInherited: name in Object.prototype };
}

/** Most columns hand on what they are given. */
const encodes = ({ mapToDriverValue }: Param['encoder']): boolean =>
  mapToDriverValue !== Column.prototype.mapToDriverValue;

const noValue = (name: string) =>
  new ServiceError('internal', { explanation: `No value for the placeholder "${name}"` });

/** What a prepared query of drizzle 0.45 knows about its rows. */
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
