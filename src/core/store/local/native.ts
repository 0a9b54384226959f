import type { Row, RowCount, SqlValue } from '../contract.ts';

/** Interface of a native binding for the executor. Synchronous: never used for writing on the main thread. */
export interface NativeConnection {
  prepare(sql: string): NativeStatement;
  readonly inTransaction: boolean;
  close(): void;
}

interface NativeStatement {
  run(args: readonly SqlValue[]): void;
  all(args: readonly SqlValue[]): Row[];
  /** The first row, or none. */
  first(args: readonly SqlValue[]): Row[];
}

/** A connection whose statements can also run off the calling thread. */
export interface InterruptibleConnection extends NativeConnection {
  prepare(sql: string): InterruptibleStatement;
  /** Ends the statements that run off this thread: they fail. */
  interrupt(): void;
}

export interface InterruptibleStatement extends NativeStatement {
  /**
   * Reads all rows. The first row is found on another thread, where `interrupt` reaches the statement; the others on
   * this one.
   */
  readOffThread(args: readonly SqlValue[]): Promise<Row[]>;
}

/** Prepared statements by their text. */
export interface Statements<S> {
  get(sql: string): S;
}

/** Prepared statements by their text. Bounded, because a text may be made per request; the oldest goes first. */
export class StatementCache<S extends NativeStatement = NativeStatement> implements Statements<S> {
  readonly #connection: { prepare(sql: string): S };
  readonly #limit: number;
  readonly #statements = new Map<string, S>();

  constructor(connection: { prepare(sql: string): S }, limit = 500) {
    this.#connection = connection;
    this.#limit = limit;
  }

  get(sql: string): S {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#connection.prepare(sql);
    if (this.#statements.size >= this.#limit) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  get size(): number {
    return this.#statements.size;
  }

  clear(): void {
    this.#statements.clear();
  }
}

/** Matches statements that can be wrapped. */
const asks = /^\s*(?:SELECT|WITH|VALUES)\b/i;

/** False for statements that run to their end, such as PRAGMA. */
export const isInterruptible = (sql: string): boolean => asks.test(sql);

/** The first row waits for all others: then nothing is left to do on the thread that takes them over. */
const wholeAtOnce = (sql: string): string => `WITH found AS MATERIALIZED (${sql}) SELECT * FROM found`;

/** The first row of a statement, without a look at the next one. */
export const firstOf = (sql: string): string => `SELECT * FROM (${sql}) LIMIT 1`;

/** Reads that `interrupt` of their connection ends at any moment. */
export async function readOffThread(
  cache: Statements<InterruptibleStatement>,
  sql: string,
  args: readonly SqlValue[],
  max: RowCount,
): Promise<Row[]> {
  if (!isInterruptible(sql)) return max === 'one' ? cache.get(sql).first(args) : cache.get(sql).all(args);
  return cache.get(max === 'one' ? firstOf(sql) : wholeAtOnce(sql)).readOffThread(args);
}
