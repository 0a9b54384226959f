import { Recent } from '../../core/lib/cache.ts';

/** Failures are forgotten once nothing has failed for that long. */
export const memory = 15 * 60_000;
export const firstDelay = 1_000;

/** Failures of a key without a pause, and the longest pause in milliseconds. */
export interface PaceLimits {
  readonly free: number;
  readonly max: number;
}

/** Milliseconds. `store.ts` has the same in SQL. */
export const pauseAfter = (count: number, { free, max }: PaceLimits): number =>
  count < free ? 0 : Math.min(max, firstDelay * 2 ** Math.min(count - free, 20));

export interface Failures {
  readonly count: number;
  /** The throttle looks at no attempt before. */
  readonly until: number;
}

/**
 * Counts failures by key. Keys that are slowed down have a table of their own, so that strangers cannot evict them
 * with logins that fail once. To get into it, each of the evicting keys has to fail as often.
 */
export class FailureTable {
  readonly #few: Recent<string, Failures>;
  readonly #slowed: Recent<string, Failures>;
  readonly #free: number;

  constructor(free: number, max: number) {
    this.#free = free;
    this.#few = new Recent(max);
    this.#slowed = new Recent(max);
  }

  get(key: string, now: number): Failures | undefined {
    return this.#slowed.get(key, now) ?? this.#few.get(key, now);
  }

  set(key: string, failures: Failures, until: number): void {
    if (failures.count >= this.#free) {
      this.#few.delete(key);
      this.#slowed.set(key, failures, until);
    } else this.#few.set(key, failures, until);
  }

  delete(key: string): void {
    this.#few.delete(key);
    this.#slowed.delete(key);
  }

  get size(): number {
    return this.#few.size + this.#slowed.size;
  }
}
