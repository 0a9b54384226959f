import { type Clock, systemClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { yieldTurn } from '../../lib/turn.ts';
import {
  type BoundedReads,
  type Database,
  type DatabaseFigures,
  noFigures,
  type Outcome,
  type Row,
  type RowCount,
  type Share,
  type SqlValue,
  type Statement,
  type SteadyReads,
} from '../contract.ts';
import { kindOfFault, messageOf, refusalOf } from '../faults.ts';
import { checkStatements, checkValues } from '../values.ts';
import { Executor, type GroupTerms, type Settled } from './executor.ts';
import { GroupCommitter, type GroupPort, type GroupSettings } from './group-committer.ts';
import { MainThreadReads, TurnSnapshot } from './main-thread-reads.ts';
import { type NativeConnection, StatementCache } from './native.ts';
import type { ReaderPool } from './reader-pool.ts';
import { LocalSteadyReads } from './steady-reads.ts';

/** Pages of the log after which a move is worth its two disk syncs. */
const pages = 2_000;
/** Transactions before the first move, which tells how many pages one has. */
const first = 128;
const [fewest, max] = [16, 4_096];

/**
 * Checkpoints pages of the log concurrently with the writer, which would otherwise stop for the time of ten groups. The
 * writer itself does the rest later, when most pages are moved, since only it can restart the log.
 */
export class LogMover {
  /** Gives whether another move was in the way, the pages of the log, and how many of them are in the file. */
  readonly #move: () => Promise<readonly Row[]>;
  /** Transactions since the last move, and since the pages of the log were known. */
  #since = 0;
  #counted = 0;
  #every = first;
  #known = 0;
  #isMoving = false;

  constructor(move: () => Promise<readonly Row[]>) {
    this.#move = move;
  }

  wrote(transactions: number): void {
    this.#since += transactions;
    this.#counted += transactions;
    if (!this.#isMoving && this.#since >= this.#every) void this.#run();
  }

  async #run(): Promise<void> {
    const transactions = this.#counted;
    this.#since = 0;
    this.#isMoving = true;
    try {
      const [row] = await this.#move();
      this.#plan(transactions, Number(row?.[1] ?? -1));
    } catch {
      // No thread has time for it: the writer moves the pages itself when the log is long.
    } finally {
      this.#isMoving = false;
    }
  }

  #plan(transactions: number, log: number): void {
    // Interrupted by another checkpoint: no measurement.
    if (log < 0) return;
    const grown = log - this.#known;
    this.#known = log;
    this.#counted -= transactions;
    // A log that was restarted meanwhile gives no measurement.
    if (grown <= 0) return;
    this.#every = Math.min(Math.max(Math.round((transactions * pages) / grown), fewest), max);
  }
}

type Transactions = readonly (readonly Statement[])[];

/** A writer that has something to put in order when the database closes. */
export interface LocalWriter extends GroupPort {
  close(): Promise<void>;
}

interface LocalSettings extends GroupSettings {
  readonly clock?: Clock;
  /** Milliseconds for retrying a read while the file is locked against readers, which is rare and short. */
  readonly readPatience?: number;
  /** Readers of queries. Undefined for memory, because a second connection would not see its rows. */
  readonly pool?: ReaderPool;
  /** Size of the write-ahead log, in bytes. */
  readonly logBytes?: () => number;
}

const retryPause = 20;
const moveLog = 'PRAGMA wal_checkpoint(PASSIVE)';

/** A file or memory: reads on this thread, which take microseconds; writes wherever the writer runs. */
export class LocalDatabase implements Database {
  readonly kind: 'file' | 'memory';
  readonly grouped = true;
  readonly bounded: BoundedReads;
  readonly steady: SteadyReads;
  readonly tallyFor: Database['tallyFor'];
  readonly performFor: Database['performFor'];
  readonly #reader: NativeConnection;
  readonly #cache: StatementCache;
  readonly #writer: LocalWriter;
  readonly #committer: GroupCommitter;
  readonly #clock: Clock;
  readonly #readPatience: number;
  readonly #snapshot: TurnSnapshot | undefined;
  readonly #pool: ReaderPool | undefined;
  readonly #mover: LogMover | undefined;
  readonly #logBytes: () => number;
  #closed: Promise<void> | undefined;

  constructor(kind: 'file' | 'memory', reader: NativeConnection, writer: LocalWriter, settings: LocalSettings = {}) {
    this.kind = kind;
    this.#reader = reader;
    this.#cache = new StatementCache(reader);
    this.#writer = writer;
    // In memory the reader is the writer, and a transaction of one would be that of the other.
    const { soon } = settings;
    this.#snapshot = kind === 'file' && soon ? new TurnSnapshot(this.#cache, soon) : undefined;
    const port = {
      runGroup: (transactions: Transactions, terms: GroupTerms) => this.#runGroup(transactions, terms),
    };
    this.#committer = new GroupCommitter(port, settings);
    this.#clock = settings.clock ?? systemClock;
    this.#readPatience = settings.readPatience ?? 5_000;
    const { pool } = settings;
    this.#pool = pool;
    this.#mover = pool && new LogMover(() => pool.query('log-mover', moveLog, [], 'one'));
    this.tallyFor = pool && ((...query) => pool.query(...query));
    this.performFor = pool && ((...reading) => pool.perform(...reading));
    const read = (sql: string, args: readonly SqlValue[]) => this.read(sql, args, 'one');
    // Memory has neither a disk to wait for nor a thread that could read instead.
    this.bounded = this.#pool ? new MainThreadReads(this.#clock, read, soon && yieldTurn) : { read };
    this.steady = new LocalSteadyReads((...asked) => this.read(...asked));
    this.#logBytes = settings.logBytes ?? (() => 0);
  }

  read(sql: string, args: readonly SqlValue[] = [], max: RowCount = 'all'): Maybe<Row[]> {
    if (this.#closed) return Promise.reject(refusalOf('unavailable', 'The database is closed'));
    try {
      checkValues(args);
      const [only] = args;
      if (this.#snapshot && max === 'one' && args.length === 1 && typeof only === 'string')
        return this.#snapshot.first(sql, only);
      this.#snapshot?.begin();
      const statement = this.#cache.get(sql);
      return max === 'one' ? statement.first(args) : statement.all(args);
    } catch (error) {
      if (error instanceof ServiceError) return Promise.reject(error);
      return this.#readAgain(sql, args, error);
    }
  }

  query(caller: string, sql: string, args: readonly SqlValue[] = [], max: RowCount = 'all'): Maybe<Row[]> {
    if (this.#pool === undefined || this.#closed) return this.read(sql, args, max);
    return this.#pool.query(caller, sql, args, max);
  }

  get figures(): DatabaseFigures {
    return { ...noFigures, ...this.#pool?.figures, logBytes: this.#logBytes() };
  }

  write(statements: readonly Statement[], share?: Share): Promise<Outcome> {
    try {
      checkStatements(statements);
      return this.#committer.write(statements, share);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  guardGroups(guard: Statement | undefined): void {
    this.#committer.guard(guard);
  }

  interrupt(): void {
    this.#pool?.interrupt();
  }

  get pending(): number {
    return this.#committer.depth;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** A caller that knows of a commit must not read the state before it. */
  async #runGroup(transactions: Transactions, terms: GroupTerms): Promise<readonly Settled[]> {
    try {
      return await this.#writer.runGroup(transactions, terms);
    } finally {
      this.#snapshot?.end();
      this.#mover?.wrote(transactions.length);
    }
  }

  async #close(): Promise<void> {
    await Promise.all([this.#committer.close(), this.#pool?.close()]);
    this.#snapshot?.end();
    this.#cache.clear();
    // The readers go first: the writer then is the last one out and can empty the log.
    if (this.kind === 'file') this.#reader.close();
    await this.#writer.close();
  }

  /** The pause is asynchronous, so a locked file never holds up the requests that do not need it. */
  async #readAgain(sql: string, args: readonly SqlValue[], first: unknown): Promise<Row[]> {
    const giveUp = this.#clock.now() + this.#readPatience;
    let error = first;
    for (;;) {
      const kind = kindOfFault(error);
      if (kind !== 'busy') throw refusalOf(kind === 'bad-sql' ? kind : 'unavailable', messageOf(error));
      if (this.#clock.now() >= giveUp) throw refusalOf('busy', 'The database is locked');
      await this.#clock.sleep(retryPause);
      try {
        return this.#cache.get(sql).all(args);
      } catch (again) {
        error = again;
      }
    }
  }
}

/** Rows that live as long as the connection: reader and writer are one, on this thread. */
export function memoryDatabase(connection: NativeConnection, settings: LocalSettings = {}): LocalDatabase {
  const executor = new Executor(connection);
  const writer: LocalWriter = {
    runGroup: async (transactions, terms) => executor.runGroup(transactions, terms),
    close: async () => executor.close(),
  };
  return new LocalDatabase('memory', connection, writer, settings);
}
