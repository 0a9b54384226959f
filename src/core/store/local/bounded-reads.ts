import type { Clock } from '../../lib/clock.ts';
import { after, type Maybe } from '../../lib/maybe.ts';
import type { BoundedReads, Row, SqlValue } from '../contract.ts';

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
export class ServingReads implements BoundedReads {
  readonly #clock: Clock;
  readonly #read: (sql: string, args: readonly SqlValue[]) => Maybe<Row[]>;
  readonly #soon: ((run: () => void) => void) | undefined;
  #restsUntil = 0;
  #fast = 0;

  constructor(
    clock: Clock,
    read: (sql: string, args: readonly SqlValue[]) => Maybe<Row[]>,
    soon?: (run: () => void) => void,
  ) {
    this.#clock = clock;
    this.#read = read;
    this.#soon = soon;
  }

  read(sql: string, args: readonly SqlValue[]): Maybe<Row[]> | undefined {
    const soon = this.#soon;
    if (this.#clock.now() < this.#restsUntil) return undefined;
    // Yields to requests that have arrived, as a reader thread would.
    return soon ? new Promise<void>(soon).then(() => this.#timed(sql, args)) : this.#timed(sql, args);
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
