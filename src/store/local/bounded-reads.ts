import type { Clock } from '../../lib/clock.ts';
import { after, type Maybe } from '../../lib/maybe.ts';
import type { BoundedReads, Row, Value } from '../contract.ts';

/** Milliseconds from which a read has waited for a disk. */
const slow = 5;
/** For so long threads read then: what they read is in memory afterwards. */
const rest = 1_000;

/**
 * Reads on the serving thread that cost less than a visit to another, as long as their pages are in memory. Nobody can tell
 * beforehand, so one that took long sends those behind it to the threads for a while.
 */
export class ServingReads implements BoundedReads {
  readonly #clock: Clock;
  readonly #read: (sql: string, args: readonly Value[]) => Maybe<Row[]>;
  #restsUntil = 0;

  constructor(clock: Clock, read: (sql: string, args: readonly Value[]) => Maybe<Row[]>) {
    this.#clock = clock;
    this.#read = read;
  }

  read(sql: string, args: readonly Value[]): Maybe<Row[]> | undefined {
    const began = this.#clock.now();
    if (began < this.#restsUntil) return undefined;
    return after(this.#read(sql, args), (rows) => {
      const ended = this.#clock.now();
      if (ended - began >= slow) this.#restsUntil = ended + rest;
      return rows;
    });
  }
}
