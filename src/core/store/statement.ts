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

/** For look-ups by key beside reads whose work grows with the number of rows. */
export const lookupReader = (reader: Reader): Reader => reader.lookups ?? reader;

/** For reads of tables that `revision.ts` counts. */
export const steadyReader = (reader: Reader): Pick<Reader, 'read'> => reader.steady ?? lookupReader(reader);

/** Entities of a page whose rows the serving thread reads itself: a visit to another thread takes longer. */
const lightPage = 100;

/** For reads of a bounded number of rows for each entity of a page. */
export const pageReader = (reader: Reader, entities: number): Reader =>
  entities <= lightPage ? lookupReader(reader) : reader;

/** Rows of a read that the serving thread takes before it leaves the read to another thread. */
const lightRows = 1_000;

/**
 * Something about a page of entities that has up to `most` rows: read by the serving thread, or by another where there are
 * as many. -1: all.
 */
export async function nearPage<T>(
  reader: Reader,
  entities: number,
  read: (by: Reader, most: number) => Promise<T>,
  rowsOf: (result: T) => number,
): Promise<T> {
  if (reader.lookups && entities <= lightPage) {
    const result = await read(reader.lookups, lightRows);
    if (rowsOf(result) < lightRows) return result;
  }
  return read(reader, -1);
}

/** Rows of a query that ends with the limit `most`, by `nearPage`. */
export const nearRows = async <R>(
  reader: Reader,
  select: PreparedQuery<R, Values>,
  values: Values,
): Promise<readonly R[]> =>
  nearPage<readonly R[]>(
    reader,
    1,
    async (by, most) => select(by, { ...values, most }),
    ({ length }) => length,
  );

/** Rows of a query whose work grows with its `limit` and `offset` alone, by `nearPage`. Limit -1: all. */
export const nearSlice = async <R>(
  reader: Reader,
  select: PreparedQuery<R, Values>,
  { limit, offset, ...values }: Values & { readonly limit: number; readonly offset: number },
): Promise<readonly R[]> =>
  nearPage<readonly R[]>(
    reader,
    offset > lightRows ? offset : 1,
    async (by, most) => select(by, { limit: leastOf(limit, most), offset, ...values }),
    ({ length }) => length,
  );

/** The lower of two limits, of which -1 is none. */
export const leastOf = (one: number, other: number): number => (one < 0 || (other >= 0 && other < one) ? other : one);

/** Filled values, and the answer to the caller when the statement breaks a constraint. */
export type PreparedStatement<V extends Values> = (values: V, refusal?: GuardRefusal) => Statement;

export interface PreparedQuery<R, V extends Values> {
  (reader: Reader, values: V): Maybe<R[]>;
  /** The first row, for look-ups by key. */
  first(reader: Reader, values: V): Maybe<R | undefined>;
  /** By names, its only value and its first column, from a table that `revision.ts` counts. */
  named(reader: Reader, names: readonly string[]): Maybe<R[]>;
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
  const all = (reader: Reader, values: V) => {
    const { text, fill, map } = built();
    return after(reader.read(text, fill(values), 'all'), map);
  };
  const first = (reader: Reader, values: V) => {
    const { text, fill, map } = built();
    return after(reader.read(text, fill(values), 'one'), (rows) => map(rows)[0]);
  };
  const size = (reader: Reader, values: V) =>
    after(reader.read(sized(), built().fill(values), 'one'), ([row]) => ({
      rows: Number(row![0]),
      bytes: Number(row![1]),
    }));
  const named = (reader: Reader, names: readonly string[]) => {
    const { text, fill, map } = built();
    if (reader.steady) return after(reader.steady.named(text, names), map);
    return after(reader.read(text, fill({ names: JSON.stringify(names) }), 'all'), map);
  };
  return Object.assign(all, { first, size, named });
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
const mostAdded = 12;

/** Turns rows into objects. */
function resultOf(selection: Selection): { columns: number; map: (rows: readonly Row[]) => Record<string, unknown>[] } {
  const fields = Object.entries(selection).map(([name, field]) => ({
    name,
    column: decodes(field) ? field : undefined,
  }));
  const wide = fields.length > mostAdded ? Object.fromEntries(fields.map(({ name }) => [name, null])) : undefined;
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
