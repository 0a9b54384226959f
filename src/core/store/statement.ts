import {
  Column,
  type GetColumnData,
  getTableColumns,
  getTableName,
  is,
  Name,
  Param,
  Placeholder,
  SQL,
  sql,
} from 'drizzle-orm';
import {
  SQLiteAsyncDialect,
  type SQLiteColumn,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSelectBuilder,
  type SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core';
import { ServiceError } from '../lib/errors.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type {
  BoundedReads,
  Database,
  GuardRefusal,
  Reduced,
  Row,
  RowCount,
  SqlValue,
  Statement,
  SteadyReads,
} from './contract.ts';

/**
 * `query`, `statement` and `guard` (guard.ts) are the ways to make SQL that runs often. Each takes a builder of drizzle or
 * a template, builds it at its first use, and fills it for each request: building takes longer than running. Most
 * statements are never used in a run. `value('name')` marks values. For statements that differ only in their table see
 * `rows.ts`.
 */

export { sql };
export const value = sql.placeholder;

/** A text is JSON already, as of lists that are kept or composed in this form. */
const asJson = { mapToDriverValue: (list: unknown) => (typeof list === 'string' ? list : JSON.stringify(list)) };

/** A list as rows, for FROM. */
export const eachOf = (name: string): SQL => sql`json_each(${sql.param(value(name), asJson)})`;

/** Values of a list, for IN. */
export const valuesOf = (name: string): SQL => sql`(SELECT value FROM ${eachOf(name)})`;

const dialect = new SQLiteAsyncDialect();
/** Builders only make SQL: nobody runs them in a session. */
const session = undefined as never;

export type Values = Readonly<Record<string, unknown>>;

export interface Reader extends Pick<Database, 'read'> {
  /** Left out: the reader itself. Answers at once what a query would wait for a thread for. */
  readonly lookups?: Pick<Database, 'read'>;
  /** For reads of a bounded number of rows. Left out where no thread could take over those that take long. */
  readonly bounded?: BoundedReads | undefined;
  /** Left out where no thread could count. */
  readonly tally?: ((sql: string, args: readonly SqlValue[], reduced: Reduced) => Maybe<Row[]>) | undefined;
  /** Left out: the reader itself. Keeps rows of tables that `revision.ts` counts. */
  readonly steady?: SteadyReads | undefined;
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

/**
 * Rows that a query reads at most: by it the store chooses the thread. A few are read by the serving thread, since a visit
 * to another takes longer. A query without a reach reads any number.
 */
export interface Reach<R = unknown> {
  /** Name of a list: a bounded number of rows for each of its entries. Left out: for the whole query. */
  readonly each?: string;
  /** Name of the value that limits the rows, where there may be many. Without a value, or with -1: all. */
  readonly upTo?: string;
  /** Rows that a result was made of. Default: its own. */
  readonly counts?: (result: readonly R[]) => number;
  /** Whether `revision.ts` counts the changes of its tables, so that rows are kept until one of them. */
  readonly isSteady?: true;
}

/** For a bounded number of rows that are found by a key. */
export const oneEntity: Reach = {};
/** For the rows of tables that `revision.ts` counts. */
export const steadyRows: Reach = { isSteady: true };
/** For a bounded number of rows of each entity in a list. */
export const eachEntity = (list: string): Reach => ({ each: list });

/** Entities of a page whose rows the serving thread reads itself. */
export const lightPage = 100;
/** Rows of a read that the serving thread takes before it leaves the read to another thread. */
const lightRows = 1_000;

/** Reader for SQL that is composed at run time: the serving thread reads where there is little to read. */
export const nearReader = (reader: Reader, isLittle: boolean): Reader =>
  isLittle ? (reader.lookups ?? reader) : reader;

/** Runs a read where its reach says: again on another thread where the serving thread got as many rows as it takes. */
function reached<R>(
  reader: Reader,
  values: Values,
  { each, upTo, counts = ({ length }) => length, isSteady }: Reach<R>,
  run: (by: Pick<Reader, 'read'>, values: Values) => Maybe<R[]>,
): Maybe<R[]> {
  if (isSteady && reader.steady) return run(reader.steady, values);
  const limited = (max: number) => (upTo === undefined ? values : { ...values, [upTo]: max });
  const limit = upTo === undefined ? -1 : ((values[upTo] as number | undefined) ?? -1);
  const entities = each === undefined ? 1 : (values[each] as readonly unknown[]).length;
  const skipped = upTo === undefined ? 0 : ((values['offset'] as number | undefined) ?? 0);
  const { lookups } = reader;
  if (!lookups || entities > lightPage || skipped > lightRows) return run(reader, limited(limit));
  if (upTo === undefined) return run(lookups, values);
  const max = limit < 0 ? lightRows : Math.min(limit, lightRows);
  return after(run(lookups, limited(max)), (rows) =>
    max === limit || counts(rows) < lightRows ? rows : run(reader, limited(limit)),
  );
}

/** Filled values, and the answer to the caller when the statement breaks a constraint. */
export type PreparedStatement<V extends Values> = (values: V, refusal?: GuardRefusal) => Statement;

export interface PreparedQuery<R, V extends Values> {
  (reader: Reader, values: V): Maybe<R[]>;
  /** The first row, for look-ups by key. */
  first(reader: Reader, values: V): Maybe<R | undefined>;
  /** By names, its only value and its first column, from a table that `revision.ts` counts. */
  named(reader: Reader, names: readonly string[]): Maybe<R[]>;
  /** Adds what the query reads at most. */
  reaching(reach: Reach<R>): PreparedQuery<R, V>;
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

interface Queryable extends Buildable, PromiseLike<unknown> {}

type RowOf<Q> = Q extends PromiseLike<infer R> ? (R extends readonly (infer One)[] ? One : never) : never;

/** Columns of a result, in order, by the names that its rows give them. */
type Selection = Readonly<Record<string, SQLiteColumn | SQL | SQL.Aliased>>;
type Selected<S extends Selection> = {
  [K in keyof S]: S[K] extends Column ? GetColumnData<S[K]> : S[K] extends SQL<infer T> ? T : never;
};

const selectFields = <S extends Selection>(fields: S) =>
  new SQLiteSelectBuilder<S, 'async', unknown>({ fields, session, dialect });
const selectAll = <T extends SQLiteTable>(table: T) => selectFields(getTableColumns(table)).from(table);

/** The builder of drizzle, recording what its queries do not tell: the selected columns, the written table. */
class Builder {
  selection: Selection = {};
  written: string | undefined;

  select(): { from<T extends SQLiteTable>(table: T): ReturnType<typeof selectAll<T>> };
  select<S extends Selection>(fields: S): ReturnType<typeof selectFields<S>>;
  select(fields?: Selection): unknown {
    if (fields !== undefined) {
      this.selection = fields;
      return selectFields(fields);
    }
    const from = <T extends SQLiteTable>(table: T) => {
      this.selection = getTableColumns(table);
      return selectAll(table);
    };
    return { from };
  }

  insert<T extends SQLiteTable>(table: T) {
    return new SQLiteInsertBuilder<T, 'async', unknown>(this.#written(table), session, dialect);
  }

  update<T extends SQLiteTable>(table: T) {
    return new SQLiteUpdateBuilder<T, 'async', unknown>(this.#written(table), session, dialect);
  }

  delete<T extends SQLiteTable>(table: T) {
    return new SQLiteDeleteBase<T, 'async', unknown>(this.#written(table), session, dialect);
  }

  #written<T extends SQLiteTable>(table: T): T {
    this.written = getTableName(table);
    return table;
  }
}

class WrittenTable extends Name {}

/** Names the table that a template writes: sql`UPDATE ${writes('file')} SET ...`. Participants of the commit go by it. */
export const writes = (table: string): Name => new WrittenTable(table);

function writtenIn({ queryChunks }: SQL): string | undefined {
  for (const chunk of queryChunks) {
    const written = chunk instanceof WrittenTable ? chunk.value : is(chunk, SQL) ? writtenIn(chunk) : undefined;
    if (written !== undefined) return written;
  }
  return undefined;
}

/** Source of a statement: a function of the builder, or a template for SQL that the builder cannot express. */
export type Source<Q> = ((db: Builder) => Q) | SQL;

/** A change, for `CommitPlan.changes`. `returns`: the commit answers the rows of its RETURNING clause. */
export function statement<V extends Values = Values>(
  source: Source<Buildable | SQL>,
  { returns }: Pick<Statement, 'returns'> = {},
): PreparedStatement<V> {
  const built = onFirstUse(() => {
    const db = new Builder();
    const builder = source instanceof SQL ? source : source(db);
    const compiled = compile(builder instanceof SQL ? dialect.sqlToQuery(builder) : builder.toSQL());
    const table = builder instanceof SQL ? writtenIn(builder) : db.written;
    if (table === undefined) throw new Error(`Expected a table named by writes(): ${compiled.text}`);
    return { ...compiled, table };
  });
  const filled: PreparedStatement<V> = (values, refusal) => {
    const { text, fill, table } = built();
    const args = fill(values);
    return refusal === undefined ? { sql: text, args, writes: table } : { sql: text, args, writes: table, refusal };
  };
  return returns ? (values, refusal) => ({ ...filled(values, refusal), returns }) : filled;
}

/** A query of the builder, whose rows have the type of its selection. */
export function query<Q extends Queryable, V extends Values = Values>(
  source: (db: Builder) => Q,
): PreparedQuery<RowOf<Q>, V>;
/** A query in SQL, whose result columns, in order, have the types of the selection. */
export function query<S extends Selection, V extends Values = Values>(
  template: SQL,
  selection: S,
): PreparedQuery<Selected<S>, V>;
export function query<V extends Values>(
  source: Source<Queryable>,
  selection: Selection = {},
): PreparedQuery<unknown, V> {
  const built = onFirstUse(() => {
    if (source instanceof SQL) return { ...compile(dialect.sqlToQuery(source)), ...resultOf(selection) };
    const db = new Builder();
    return { ...compile(source(db).toSQL()), ...resultOf(db.selection) };
  });
  const sized = onFirstUse(() => {
    const { text, columns } = built();
    const names = Array.from({ length: columns }, (_, index) => `c${index}`);
    const bytes = names.map((name) => `IFNULL(octet_length(${name}), 0)`).join(' + ');
    return `WITH page (${names.join(', ')}) AS (${text}) SELECT COUNT(*), TOTAL(${bytes}) FROM page`;
  });
  return prepared(built, sized, undefined);
}

interface Built extends Compiled {
  readonly columns: number;
  map(rows: readonly Row[]): Record<string, unknown>[];
}

function prepared<V extends Values>(
  built: () => Built,
  sized: () => string,
  reach: Reach | undefined,
): PreparedQuery<unknown, V> {
  const rowsOf = (reader: Reader, values: Values, max: RowCount) => {
    const { text, fill, map } = built();
    const run = (by: Pick<Reader, 'read'>, filled: Values) => after(by.read(text, fill(filled), max), map);
    return reach ? reached<unknown>(reader, values, reach, run) : run(reader, values);
  };
  const all = (reader: Reader, values: V) => rowsOf(reader, values, 'all');
  const first = (reader: Reader, values: V) => after(rowsOf(reader, values, 'one'), ([row]) => row);
  const size = (reader: Reader, values: V) => {
    const { fill } = built();
    const run = (by: Pick<Reader, 'read'>, filled: Values) =>
      after(by.read(sized(), fill(filled), 'one'), ([row]): Size[] => [
        { rows: Number(row![0]), bytes: Number(row![1]) },
      ]);
    const sizes = reach
      ? reached<Size>(reader, values, { ...reach, counts: ([whole]) => whole!.rows }, run)
      : run(reader, values);
    return after(sizes, ([whole]) => whole!);
  };
  const named = (reader: Reader, names: readonly string[]) => {
    const { text, map } = built();
    if (reader.steady) return after(reader.steady.named(text, names), map);
    return rowsOf(reader, { names }, 'all');
  };
  const reaching = (other: Reach) => prepared<V>(built, sized, other);
  return Object.assign(all, { first, size, named, reaching });
}

interface Compiled {
  readonly text: string;
  fill(values: Values): SqlValue[];
}

function onFirstUse<T>(make: () => T): () => T {
  let cached: T | undefined;
  return () => {
    cached ??= make();
    return cached;
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
      return filled as SqlValue[];
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

/** Whether the values are to be converted. Most columns have them as they are, and so do expressions. */
const decodes = (field: unknown): field is Column =>
  is(field, Column) && field.mapFromDriverValue !== Column.prototype.mapFromDriverValue;

/** Most properties of an object that V8 keeps fast when they are added one by one. Wider ones are hash tables, slow to copy. */
const maxAdded = 12;

/** Turns rows into objects. */
function resultOf(selection: Selection): { columns: number; map: (rows: readonly Row[]) => Record<string, unknown>[] } {
  const fields = Object.entries(selection).map(([name, field]) => ({
    name,
    column: decodes(field) ? field : undefined,
  }));
  const wide = fields.length > maxAdded ? Object.fromEntries(fields.map(({ name }) => [name, null])) : undefined;
  const map = (rows: readonly Row[]) =>
    rows.map((row) => {
      const record: Record<string, unknown> = wide === undefined ? {} : { ...wide };
      for (let index = 0; index < fields.length; index++) {
        const { name, column } = fields[index]!;
        const value = row[index]!;
        record[name] = value === null || column === undefined ? value : column.mapFromDriverValue(value);
      }
      return record;
    });
  return { columns: fields.length, map };
}
