import type { Clock } from '../../lib/clock.ts';
import { after, type Maybe } from '../../lib/maybe.ts';
import type { BoundedReads, Row, SqlValue } from '../contract.ts';
import type { StatementCache } from './native.ts';

/** Milliseconds from which a read has waited for a disk. */
const slow = 5;
/** For so long threads read then: what they read is in memory afterwards. */
const rest = 1_000;
/** Milliseconds in which a read has waited for nothing. The clock has whole ones, and may pass from one to the next. */
const fast = 1;
/** Number of consecutive fast reads after which their pages count as being in memory. */
const enough = 16;

/**
 * Reads on the main thread that are cheaper than a visit to a reader thread, as long as their pages are in memory. This
 * is unknown in advance, so a slow read sends the following ones to the threads for a while.
 */
export class MainThreadReads implements BoundedReads {
  readonly #clock: Clock;
  readonly #read: (sql: string, args: readonly SqlValue[]) => Maybe<Row[]>;
  readonly #pause: (() => Promise<void>) | undefined;
  #restsUntil = 0;
  #fast = 0;

  constructor(
    clock: Clock,
    read: (sql: string, args: readonly SqlValue[]) => Maybe<Row[]>,
    pause?: () => Promise<void>,
  ) {
    this.#clock = clock;
    this.#read = read;
    this.#pause = pause;
  }

  read(sql: string, args: readonly SqlValue[]): Maybe<Row[]> | undefined {
    const pause = this.#pause;
    if (this.#clock.now() < this.#restsUntil) return undefined;
    // Yields to requests that have arrived, as a reader thread would.
    return pause ? pause().then(() => this.#timed(sql, args)) : this.#timed(sql, args);
  }

  isWarm(): boolean {
    return this.#fast >= enough;
  }

  #timed(sql: string, args: readonly SqlValue[]): Maybe<Row[]> {
    const began = this.#clock.now();
    return after(this.#read(sql, args), (rows) => {
      const ended = this.#clock.now();
      this.#fast = ended - began > fast ? 0 : this.#fast + 1;
      if (ended - began >= slow) this.#restsUntil = ended + rest;
      return rows;
    });
  }
}

/**
 * Reads of one turn of the event loop share one snapshot, because taking the lock of a file costs as much as a read. It
 * begins with the second read: in a quiet moment a turn has one, which costs least by itself.
 * It ends with the turn, or when a commit of this process is about to be acknowledged: a caller that knows of a commit
 * reads it. What another process commits is seen from the next turn on.
 */
export class TurnSnapshot {
  readonly #cache: StatementCache;
  readonly #soon: (run: () => void) => void;
  /** Results of look-ups in this snapshot, by SQL and text. Repeating them would give the same rows. */
  #found = new Map<string, Map<string, Row[]>>();
  /** `read`: a single read has run, without a transaction. */
  #state: 'new' | 'read' | 'open' = 'new';

  constructor(cache: StatementCache, soon: (run: () => void) => void) {
    this.#cache = cache;
    this.#soon = soon;
  }

  begin(): void {
    if (this.#state === 'open') return;
    if (this.#state === 'new') {
      this.#state = 'read';
      this.#soon(this.end);
      return;
    }
    this.#cache.get('BEGIN').run([]);
    this.#state = 'open';
  }

  /** The first row of a look-up by one text. Requests of one turn mostly come from few callers. */
  first(sql: string, text: string): Row[] {
    let rowsOfQuery = this.#found.get(sql);
    const cached = rowsOfQuery?.get(text);
    if (cached !== undefined) return cached;
    this.begin();
    const rows = this.#cache.get(sql).first([text]);
    if (rowsOfQuery === undefined) {
      rowsOfQuery = new Map();
      this.#found.set(sql, rowsOfQuery);
    }
    rowsOfQuery.set(text, rows);
    return rows;
  }

  readonly end = (): void => {
    const isOpen = this.#state === 'open';
    this.#state = 'new';
    // A map that is cleared links its tables, so that one in old memory would keep all later ones.
    if (this.#found.size > 0) this.#found = new Map();
    if (isOpen) this.#cache.get('COMMIT').run([]);
  };
}
