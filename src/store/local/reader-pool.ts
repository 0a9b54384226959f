import { type Clock, nobodyWaits } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { DatabaseFigures, Reduced, Row, RowCount, Value } from '../contract.ts';
import { messageOf, refusalOf } from '../faults.ts';
import { checkValues } from '../values.ts';

/** One thread with a read-only connection. It does one query or reading at a time, each in a read transaction of its own. */
export interface QueryReader {
  run(sql: string, args: readonly Value[], most: RowCount | Reduced, milliseconds: number): Promise<Row[]>;
  /** `milliseconds`: so long its caller waits for it. Then it begins no further statement. */
  perform(reading: string, given: unknown, milliseconds: number): Promise<unknown>;
  /** Ends what it does, soon: nobody waits for it any more. */
  interrupt(): void;
  /** False once the thread has ended: it takes no further query. */
  readonly alive: boolean;
  close(): Promise<void>;
}

export interface PoolSettings {
  readonly clock: Clock;
  /** Starts a reader. Called when a query finds none idle, so a process without queries has no readers. */
  readonly open: () => QueryReader;
  /** Queries that run at the same time. */
  readonly readers: number;
  /** Queries that may wait for a reader. */
  readonly queue: number;
  /** How long a caller waits for one query, its time in the queue included. */
  readonly milliseconds: number;
}

type State = 'waiting' | 'running' | 'late';

/** Queries of one caller. A late query counts until its reader is done with it. */
interface Holding {
  running: number;
  all: number;
}

interface Query {
  readonly caller: string;
  askOf(reader: QueryReader): Promise<unknown>;
  /** When its caller gives up. */
  readonly due: number;
  state: State;
  reader?: QueryReader;
  resolve(found: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Runs long reads beside the serving thread. A query that is late is interrupted: it keeps its reader for the moment that
 * this takes.
 */
export class ReaderPool {
  readonly #settings: PoolSettings;
  readonly #share: number;
  readonly #idle: QueryReader[] = [];
  /** Those that wait, the longest first. Counted besides: to count them would cost each query as many looks as there are. */
  readonly #waiting = new Set<Query>();
  readonly #counts = { running: 0, late: 0 };
  readonly #callers = new Map<string, Holding>();
  /** Those whose callers wait, with what comes of each. All have the same time, so the first is the first that is due. */
  readonly #awaited = new Map<Query, Promise<unknown>>();
  readonly #over = new AbortController();
  #watches = false;
  #closed: Promise<void> | undefined;
  #stops = false;
  #ended = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#share = Math.max(1, Math.floor(settings.readers / 2));
  }

  get figures(): Omit<DatabaseFigures, 'logBytes'> {
    const { running, late } = this.#counts;
    return { queriesRunning: running + late, queriesWaiting: this.#waiting.size, queriesLate: late };
  }

  async query(caller: string, sql: string, args: readonly Value[], most: RowCount | Reduced): Promise<Row[]> {
    checkValues(args);
    return this.#ask(caller, (reader) => reader.run(sql, args, most, this.#settings.milliseconds));
  }

  /**
   * A reading counts as one query, and has as long as one. Undefined: it would wait for a reader, although what it asks may
   * need none.
   */
  perform(caller: string, reading: string, given: unknown, waits?: 'waits'): Promise<unknown> | undefined {
    const isBusy = this.#closed || this.#stops || !this.#isFree() || this.#running(caller) >= this.#share;
    if (isBusy && !waits) return undefined;
    return this.#ask(caller, (reader) => reader.perform(reading, given, this.#settings.milliseconds));
  }

  #ask<T>(caller: string, askOf: (reader: QueryReader) => Promise<T>): Promise<T> {
    if (this.#closed) throw refusalOf('unavailable', 'The database is closed');
    if (this.#stops) throw stops();
    this.#admit(caller);
    const due = this.#settings.clock.now() + this.#settings.milliseconds;
    let query!: Query;
    const found = new Promise<T>((resolve, reject) => {
      query = { caller, askOf, due, state: 'waiting', resolve: resolve as Query['resolve'], reject };
    });
    this.#waiting.add(query);
    this.#awaited.set(query, found);
    this.#holdingOf(caller).all++;
    this.#start();
    if (!this.#watches) void this.#watch();
    return found;
  }

  /** Ends all queries, those that wait and those that run, and takes no more. */
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
    this.#over.abort(nobodyWaits);
    await Promise.all(this.#idle.splice(0).map((reader) => reader.close()));
  }

  /** One sleep for many queries: to end a sleep of its own costs a query more than to ask for its rows. */
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
    if (this.#isFree() && this.#running(caller) < this.#share) return;
    if ((this.#callers.get(caller)?.all ?? 0) >= this.#share + Math.floor(queue / 2)) throw tooMany();
    if (this.#waiting.size >= queue) throw refusalOf('busy', 'Too many queries are waiting');
  }

  #isFree(): boolean {
    const { running, late } = this.#counts;
    return running + late < this.#settings.readers;
  }

  #running(caller: string): number {
    return this.#callers.get(caller)?.running ?? 0;
  }

  #holdingOf(caller: string): Holding {
    let holding = this.#callers.get(caller);
    if (!holding) {
      holding = { running: 0, all: 0 };
      this.#callers.set(caller, holding);
    }
    return holding;
  }

  /** Before the query has another state, or goes. */
  #leave({ state, caller }: Query, isGone: boolean): void {
    const holding = this.#holdingOf(caller);
    if (state !== 'waiting') this.#counts[state]--;
    if (state !== 'waiting' && isGone) holding.running--;
    if (isGone && --holding.all === 0) this.#callers.delete(caller);
  }

  /** The longest waiting query whose caller has a share left goes first. */
  #start(): void {
    for (const query of this.#waiting) {
      if (!this.#isFree()) return;
      if (this.#running(query.caller) < this.#share) void this.#run(query);
    }
  }

  async #run(query: Query): Promise<void> {
    this.#waiting.delete(query);
    query.state = 'running';
    this.#counts.running++;
    this.#holdingOf(query.caller).running++;
    let reader: QueryReader | undefined;
    try {
      reader = this.#idleReader() ?? this.#settings.open();
      query.reader = reader;
      const found = await query.askOf(reader);
      this.#awaited.delete(query);
      query.resolve(found);
    } catch (error) {
      this.#awaited.delete(query);
      query.reject(error instanceof ServiceError ? error : refusalOf('unavailable', messageOf(error)));
    }
    this.#leave(query, true);
    if (reader?.alive) this.#giveBack(reader);
    this.#start();
  }

  /** A thread may end while it is idle. */
  #idleReader(): QueryReader | undefined {
    for (let reader = this.#idle.pop(); reader; reader = this.#idle.pop()) if (reader.alive) return reader;
    return undefined;
  }

  #giveBack(reader: QueryReader): void {
    if (!this.#ended) this.#idle.push(reader);
    else void reader.close();
  }

  #giveUp(query: Query, error: ServiceError): void {
    const waits = query.state === 'waiting';
    this.#leave(query, waits);
    if (waits) this.#waiting.delete(query);
    else {
      query.state = 'late';
      this.#counts.late++;
      query.reader?.interrupt();
    }
    this.#awaited.delete(query);
    query.reject(error);
    this.#start();
  }
}

const stops = () => refusalOf('unavailable', 'The service stops');

function tooMany(): ServiceError {
  const explanation = 'Expected fewer queries of one account at the same time';
  return new ServiceError('too-many-queries', { explanation }, { 'Retry-After': '1' });
}

export function tooLong(milliseconds: number): ServiceError {
  const explanation = `Expected a query that is done in ${milliseconds / 1000} seconds`;
  return new ServiceError('query-too-long', { explanation }, { 'Retry-After': '5' });
}
