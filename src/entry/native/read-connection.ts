import {
  type InterruptibleConnection,
  type InterruptibleStatement,
  StatementCache,
} from '../../core/store/local/native.ts';

/** Less than the cache holds, so that it drops no statement while a query runs. */
export const statementLimit = 400;

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
