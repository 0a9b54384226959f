import { type Clock, noLongerAwaited } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { enterTurn } from '../../lib/turn.ts';
import type { DatabaseFigures, Reduced, Row, RowCount, SqlValue } from '../contract.ts';
import { databaseCode, messageOf, refusalOf } from '../faults.ts';
import { checkValues } from '../values.ts';
import { isInterruptible } from './native.ts';
import { QueryShares, type Scheduled } from './query-shares.ts';

/** Thread with a read-only connection. Runs one query or reading at a time, each in its own read transaction. */
export interface QueryReader {
  /** Resolves once the thread has started, for readings also once their modules are loaded. */
  prepare(forReadings: boolean): Promise<unknown>;
  run(sql: string, args: readonly SqlValue[], max: RowCount | Reduced, milliseconds: number): Promise<Row[]>;
  /** `milliseconds`: time limit of the caller. After it no further statement begins. */
  perform(reading: string, input: unknown, milliseconds: number): Promise<unknown>;
  /** Cancels the current query. */
  interrupt(): void;
  /** False once the thread has ended. */
  readonly alive: boolean;
  close(): Promise<void>;
}

export interface PoolSettings {
  readonly clock: Clock;
  /** Starts a reader. Called when queries find none idle, so a process without queries has no readers. */
  readonly open: () => QueryReader;
  /** Queries that run at the same time. */
  readonly readers: number;
  /** Queries that may wait for a reader. */
  readonly queue: number;
  /** Time limit of a query, including its time in the queue. */
  readonly milliseconds: number;
}

interface Query extends Scheduled {
  askOf(reader: QueryReader): Promise<unknown>;
  /** When its caller gives up. */
  readonly due: number;
  reader?: QueryReader;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Runs long reads off the serving thread. A query that is late is interrupted, and so is a long one while another
 * account waits for its first reader: that one begins anew on a free reader, and its caller is not told.
 */
export class ReaderPool {
  readonly #settings: PoolSettings;
  readonly #shares: QueryShares<Query>;
  readonly #idle: QueryReader[] = [];
  /** Readers that start, or load modules for readings. No query is assigned to them yet. */
  readonly #preparing = new Set<Promise<void>>();
  readonly #forReadings = new WeakSet<QueryReader>();
  #hasReadings = false;
  /**
   * Queries with waiting callers, and their results. All have the same time limit, so the first is the first that is
   * due.
   */
  readonly #awaited = new Map<Query, Promise<unknown>>();
  readonly #over = new AbortController();
  #watches = false;
  #looks = false;
  #closed: Promise<void> | undefined;
  #stops = false;
  #ended = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#shares = new QueryShares(settings.readers);
  }

  get figures(): Omit<DatabaseFigures, 'logBytes' | 'calls'> {
    const queries = [...this.#shares.onReaders];
    const queriesLate = queries.filter(({ state }) => state === 'late').length;
    return { queriesRunning: queries.length, queriesWaiting: this.#shares.waiting, queriesLate };
  }

  async query(caller: string, sql: string, args: readonly SqlValue[], max: RowCount | Reduced): Promise<Row[]> {
    checkValues(args);
    const { milliseconds } = this.#settings;
    return this.#ask(caller, (reader) => reader.run(sql, args, max, milliseconds), !isInterruptible(sql));
  }

  /**
   * A reading counts as one query, and has as long as one. Undefined: it would wait for a reader, although what it asks may
   * need none.
   */
  perform(caller: string, reading: string, input: unknown, waits?: 'waits'): Promise<unknown> | undefined {
    const now = this.#settings.clock.now();
    const isSoon = this.#shares.isFreeFor(caller) || this.#shares.mayInterrupt(caller, now);
    const isBusy = this.#closed || this.#stops || !isSoon;
    if (isBusy && !waits) return undefined;
    this.#hasReadings = true;
    return this.#ask(caller, (reader) => reader.perform(reading, input, this.#settings.milliseconds));
  }

  #ask<T>(caller: string, askOf: (reader: QueryReader) => Promise<T>, isSteady = false): Promise<T> {
    if (this.#closed) throw refusalOf('unavailable', 'The database is closed');
    if (this.#stops) throw stops();
    this.#admit(caller);
    const began = this.#settings.clock.now();
    const due = began + this.#settings.milliseconds;
    let query!: Query;
    const answer = new Promise<T>((resolve, reject) => {
      query = { caller, askOf, isSteady, began, due, state: 'waiting', resolve: resolve as Query['resolve'], reject };
    });
    this.#shares.add(query);
    this.#awaited.set(query, answer);
    this.#start();
    if (!this.#watches) void this.#watch();
    return answer;
  }

  /** Aborts all queries, waiting and running, and refuses new ones. */
  interrupt(): void {
    this.#stops = true;
    for (const query of this.#awaited.keys()) this.#giveUp(query, stops());
  }

  /** Waits for the queries that were accepted, each within its time, and ends the readers. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#awaited.values());
    this.#ended = true;
    this.#over.abort(noLongerAwaited);
    await Promise.all(this.#preparing);
    await Promise.all(this.#idle.splice(0).map((reader) => reader.close()));
  }

  /** Enforces time limits with one timer for all queries: a timer for each costs more than the query. */
  async #watch(): Promise<void> {
    const { clock } = this.#settings;
    this.#watches = true;
    for (let [first] = this.#awaited.keys(); first && !this.#ended; [first] = this.#awaited.keys()) {
      await clock.sleep(Math.max(first.due - clock.now(), 0), this.#over.signal).catch(() => undefined);
      for (const query of this.#awaited.keys()) {
        if (query.due > clock.now()) break;
        this.#giveUp(query, tooLong(this.#settings.milliseconds));
      }
    }
    this.#watches = false;
  }

  #admit(caller: string): void {
    const { queue } = this.#settings;
    const shares = this.#shares;
    if (shares.isFreeFor(caller)) return;
    if (shares.countOf(caller) >= shares.share + Math.floor(queue / 2)) throw tooMany();
    if (shares.queued < queue) return;
    const newest = shares.newestOfMost(caller);
    if (!newest) throw full();
    this.#giveUp(newest, full());
  }

  #start(): void {
    const shares = this.#shares;
    if (shares.waiting === 0) return;
    const now = this.#settings.clock.now();
    for (let reader = this.#idleReader(); reader; reader = this.#idleReader()) {
      const next = shares.start(now);
      if (!next) {
        this.#idle.push(reader);
        return;
      }
      void this.#run(next, reader);
    }
    const unopened = this.#settings.readers - shares.onReaders.size - this.#preparing.size;
    const wanted = unopened > 0 ? shares.startable - this.#preparing.size : 0;
    for (let more = Math.min(wanted, unopened); more > 0; more--) this.#prepare(this.#settings.open);
    for (let { missing } = shares; missing > 0; missing--) {
      const victim = shares.victim(now);
      if (!victim) return void this.#lookAgain(shares.untilVictim(now));
      shares.interrupt(victim, now);
      victim.reader!.interrupt();
    }
  }

  /** Sleeps until a query may be interrupted: one sleep at a time, however many queries wait. */
  async #lookAgain(milliseconds: number | undefined): Promise<void> {
    if (milliseconds === undefined || this.#looks) return;
    this.#looks = true;
    await this.#settings.clock.sleep(milliseconds, this.#over.signal).catch(() => undefined);
    this.#looks = false;
    this.#start();
  }

  async #run(query: Query, reader: QueryReader): Promise<void> {
    query.reader = reader;
    try {
      const rows = await query.askOf(reader);
      this.#awaited.delete(query);
      const turn = enterTurn(query.caller);
      if (turn) void turn.then(() => query.resolve(rows));
      else query.resolve(rows);
      this.#shares.remove(query);
    } catch (error) {
      if (query.state === 'interrupted' && databaseCode(error) === 'query-too-long') this.#shares.putBack(query);
      else this.#refuse(query, error);
    }
    if (reader.alive) void this.#giveBack(reader);
    this.#start();
  }

  #refuse(query: Query, error: unknown): void {
    this.#awaited.delete(query);
    query.reject(error instanceof ServiceError ? error : refusalOf('unavailable', messageOf(error)));
    this.#shares.remove(query);
  }

  #prepare(open: () => QueryReader): void {
    const prepared = this.#prepared(open).finally(() => {
      this.#preparing.delete(prepared);
      this.#start();
    });
    this.#preparing.add(prepared);
  }

  async #prepared(open: () => QueryReader): Promise<void> {
    const forReadings = this.#hasReadings;
    try {
      const reader = open();
      await reader.prepare(forReadings);
      if (forReadings) this.#forReadings.add(reader);
      await this.#giveBack(reader);
      if (forReadings) this.#prepareAhead();
    } catch (error) {
      // Refuses the query that would have got this reader.
      const query = this.#shares.start(this.#settings.clock.now());
      if (query) this.#refuse(query, error);
    }
  }

  /**
   * Opens the next reader before a query needs it, once there are readings. Beside queries that take all cores a thread
   * takes up to half a second to start, in which accounts wait for each other.
   */
  #prepareAhead(): void {
    const opened = this.#shares.onReaders.size + this.#idle.length + this.#preparing.size;
    // The reader that was prepared last counts among those that are being prepared.
    if (this.#closed || this.#stops || opened > this.#settings.readers) return;
    this.#prepare(this.#settings.open);
  }

  /** A thread may end while it is idle. */
  #idleReader(): QueryReader | undefined {
    for (let reader = this.#idle.pop(); reader; reader = this.#idle.pop()) {
      if (!reader.alive) continue;
      if (!this.#hasReadings || this.#forReadings.has(reader)) return reader;
      const unprepared = reader;
      this.#prepare(() => unprepared);
    }
    return undefined;
  }

  #giveBack(reader: QueryReader): Promise<void> | undefined {
    if (this.#ended) return reader.close();
    this.#idle.push(reader);
    return undefined;
  }

  #giveUp(query: Query, error: ServiceError): void {
    const { state } = query;
    if (state === 'waiting') this.#shares.remove(query);
    else {
      this.#shares.giveUp(query);
      if (state === 'running') query.reader?.interrupt();
    }
    this.#awaited.delete(query);
    query.reject(error);
    this.#start();
  }
}

const full = () => refusalOf('busy', 'Too many queries are waiting');
const stops = () => refusalOf('unavailable', 'The service stops');

function tooMany(): ServiceError {
  const explanation = 'Expected fewer queries of one account at the same time';
  return new ServiceError('too-many-queries', { explanation }, { 'Retry-After': '1' });
}

export function tooLong(milliseconds: number): ServiceError {
  const explanation = `Expected a query that is done in ${milliseconds / 1000} seconds`;
  return new ServiceError('query-too-long', { explanation }, { 'Retry-After': '5' });
}
