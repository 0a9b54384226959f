import type { Row, SqlValue } from '../../core/store/contract.ts';
import {
  firstOf,
  type InterruptibleConnection,
  type InterruptibleStatement,
  StatementCache,
} from '../../core/store/local/native.ts';
import { bind, withOwnBytes } from './connection.ts';
import type { ReaderData } from './reader-messages.ts';

/** Less than the cache holds, so that it drops no statement while a query runs. */
const statementLimit = 400;

/**
 * Connection of a reader thread, replaced between queries once it has many statements. A statement that is dropped is
 * freed by the garbage collector, which then blocks the thread until the running query of the connection has ended: no
 * interrupt could reach that query.
 */
export class ReadConnection {
  readonly #open: () => InterruptibleConnection;
  #connection: InterruptibleConnection;
  #cache: StatementCache<InterruptibleStatement>;

  constructor(open: () => InterruptibleConnection) {
    this.#open = open;
    this.#connection = open();
    this.#cache = new StatementCache(this.#connection);
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  get(sql: string): InterruptibleStatement {
    return this.#cache.get(sql);
  }

  interrupt(): void {
    this.#connection.interrupt();
  }

  /** Call while no query runs. */
  renew(): void {
    if (this.#cache.size < statementLimit) return;
    const connection = this.#open();
    this.close();
    this.#connection = connection;
    this.#cache = new StatementCache(connection);
  }

  close(): void {
    this.#cache.clear();
    this.#connection.close();
  }
}

/** The half of the binding that works on threads of its own. */
interface PromisedDatabase {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<PromisedStatement>;
  interrupt(): void;
  close(): void;
}

interface PromisedStatement {
  raw(): PromisedStatement;
  all(args: readonly unknown[]): Promise<SqlValue[][]>;
}

/**
 * A connection that opens, prepares and steps on threads of the binding. One query at a time. Like a
 * `ReadConnection` it drops no statement while one runs.
 */
export class OffThreadConnection {
  readonly #data: ReaderData;
  readonly #statements = new Map<string, PromisedStatement>();
  #database: PromisedDatabase | undefined;

  constructor(data: ReaderData) {
    this.#data = data;
  }

  /** The first statement reads the schema, which takes up to 20 ms. */
  async open(): Promise<void> {
    if (this.#database) return;
    const { path, busyTimeout } = this.#data;
    const { default: Database } = await import('libsql/promise');
    const database: PromisedDatabase = new Database(path, { timeout: busyTimeout });
    this.#database = database;
    await database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
    await database.exec('SELECT count(*) FROM sqlite_schema');
  }

  async first(sql: string, args: readonly SqlValue[]): Promise<Row[]> {
    if (this.#statements.size >= statementLimit) {
      this.close();
      await this.open();
    }
    const statement = this.#statements.get(sql) ?? (await this.#prepare(sql));
    return (await statement.all(bind(args))).map(withOwnBytes);
  }

  interrupt(): void {
    this.#database?.interrupt();
  }

  /** Call while no query runs. */
  close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  async #prepare(sql: string): Promise<PromisedStatement> {
    if (!this.#database) throw new Error('The connection is closed');
    const statement = (await this.#database.prepare(firstOf(sql))).raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}
