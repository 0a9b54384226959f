import { readdirSync } from 'node:fs';
import { platform } from 'node:os';
import Database from 'libsql';
import type { Row, SqlValue } from '../../core/store/contract.ts';
import type { InterruptibleConnection, InterruptibleStatement } from '../../core/store/local/native.ts';
import { stepBack } from './step-back.ts';

/**
 * Lets those threads step back that begin meanwhile: the binding starts its own with the first database of a process.
 * Threads are told apart by number, since a thread sets its name itself, later.
 */
function withThreadsBehind<T>(begin: () => T): T {
  const before = new Set(threads());
  const result = begin();
  for (const thread of threads()) if (!before.has(thread)) stepBack(thread);
  return result;
}

/** Empty anywhere but on Linux. */
function threads(): readonly number[] {
  if (platform() !== 'linux') return [];
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}

interface ConnectionSettings {
  /** Milliseconds that the engine waits for a lock, blocking its thread. */
  readonly busyTimeout: number;
  /** Refuse writing on this connection. */
  readonly readOnly?: boolean;
}

type Pragmas = Readonly<Record<string, string | number>>;

/** Pragmas for every connection: most are not stored in the file, and the defaults differ. */
function pragmasFor(path: string, settings: ConnectionSettings): Pragmas {
  return {
    busy_timeout: settings.busyTimeout,
    journal_mode: path === ':memory:' ? 'memory' : 'wal',
    synchronous: 2,
    foreign_keys: 1,
    // At 64 MiB of log the writer itself checkpoints the rest and restarts the log.
    wal_autocheckpoint: 16_000,
    // A change writes pages all over a large file. In 32 MB the writer keeps the pages above them; 2 MB are usual.
    ...(settings.readOnly ? { query_only: 1 } : { cache_size: -32_000 }),
  };
}

export function connect(path: string, settings: ConnectionSettings): InterruptibleConnection {
  const database = withThreadsBehind(() => new Database(path, { timeout: settings.busyTimeout }));
  // Kept: a statement that is collected while a query runs blocks the thread until the query has ended.
  const checks: Database.Statement[] = [];
  try {
    for (const [name, expected] of Object.entries(pragmasFor(path, settings))) {
      database.exec(`PRAGMA ${name} = ${expected}`);
      const check = database.prepare(`PRAGMA ${name}`).raw(true);
      checks.push(check);
      const [row] = check.all([]) as unknown[][];
      if (row?.[0] !== expected) throw new Error(`PRAGMA ${name} is "${row?.[0]}", expected "${expected}": ${path}`);
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return new LibsqlConnection(database, checks);
}

/** Touching a closed database ends the whole process inside the binding, so a closed one is not touched. */
export class LibsqlConnection implements InterruptibleConnection {
  readonly #database: Database.Database;
  readonly #kept: Database.Statement[];
  #open = true;

  constructor(database: Database.Database, kept: Database.Statement[] = []) {
    this.#database = database;
    this.#kept = kept;
  }

  get inTransaction(): boolean {
    return this.#open && this.#database.inTransaction;
  }

  prepare(sql: string): InterruptibleStatement {
    return new LibsqlStatement(() => {
      if (!this.#open) throw new Error('The connection is closed');
      return this.#database.prepare(sql);
    });
  }

  interrupt(): void {
    if (this.#open) (this.#database as unknown as Interruptible).interrupt();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#database.close();
    this.#kept.length = 0;
  }
}

/** Members of the binding that its types leave out. */
interface Interruptible {
  interrupt(): void;
}

interface Promised {
  all(args: readonly unknown[]): Promise<unknown[][]>;
}

/** A statement of the other half of the binding: it steps on threads of the binding, and not on the one that asks. */
type PromisedStatement = new (native: unknown) => Promised;

let promised: Promise<PromisedStatement> | undefined;

/** The binding exports no name for it. */
async function promisedStatement(): Promise<PromisedStatement> {
  const { default: PromisedDatabase } = await import('libsql/promise');
  const statement = await new PromisedDatabase(':memory:', {}).prepare('SELECT 1');
  return statement.constructor as PromisedStatement;
}

class LibsqlStatement implements InterruptibleStatement {
  readonly #prepare: () => Database.Statement;
  #statement: Database.Statement;
  readonly #givesRows: boolean;
  /** After `all`, `get` of the binding keeps the old arguments: it would answer the earlier question. */
  #gaveAll = false;
  /** The binding leaves a statement as it broke: `get` would tell of the old fault again. */
  #broke = false;

  constructor(prepare: () => Database.Statement) {
    this.#prepare = prepare;
    this.#statement = prepare();
    this.#givesRows = this.#statement.reader;
    if (this.#givesRows) this.#statement.raw(true);
  }

  run(args: readonly SqlValue[]): void {
    // Rows that are not read to the end would leave the statement half way, and no commit passes it.
    if (this.#givesRows) {
      this.all(args);
      return;
    }
    if (this.#broke) this.#statement = this.#prepare();
    this.#broke = true;
    // `run` of the binding also reads unused counters, which costs as much as the call.
    this.#statement.get(bind(args));
    this.#broke = false;
  }

  all(args: readonly SqlValue[]): Row[] {
    if (!this.#givesRows) {
      this.run(args);
      return [];
    }
    this.#gaveAll = true;
    return (this.#statement.all(bind(args)) as SqlValue[][]).map(withOwnBytes);
  }

  async readOffThread(args: readonly SqlValue[]): Promise<Row[]> {
    promised ??= promisedStatement();
    const Statement = await promised;
    this.#gaveAll = true;
    const { stmt } = this.#statement as unknown as { readonly stmt: unknown };
    const rows = (await new Statement(stmt).all(bind(args))) as SqlValue[][];
    return rows.map(withOwnBytes);
  }

  /** First row in one call of the binding, where `all` makes three. Resets the statement, so no snapshot stays open. */
  first(args: readonly SqlValue[]): Row[] {
    if (this.#gaveAll) return this.all(args).slice(0, 1);
    const row = this.#statement.get(bind(args)) as SqlValue[] | undefined;
    return row === undefined ? [] : [withOwnBytes(row)];
  }
}

/** A copy, because the binding hands out buffers of a type that runtimes treat differently. */
export function withOwnBytes(row: SqlValue[]): SqlValue[] {
  for (let index = 0; index < row.length; index++) {
    const value = row[index];
    if (typeof value === 'object' && value !== null) row[index] = new Uint8Array(value);
  }
  return row;
}

/** The binding stores every number as a float, so `5` in a text column would read `5.0`: integers go as bigints. */
export function bind(args: readonly SqlValue[]): (SqlValue | bigint)[] {
  const bound: (SqlValue | bigint)[] = new Array(args.length);
  for (let index = 0; index < args.length; index++) {
    const value = args[index]!;
    bound[index] = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  return bound;
}
