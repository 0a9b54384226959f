import { storable } from '../lib/storable.ts';
import type { Measured } from './work-kind.ts';

export interface Failure {
  readonly at: number;
  readonly says: string;
}

const maxSaidLength = 500;

/** Statistics of a kind of work on this instance. */
export class WorkTally {
  readonly #now: () => number;
  done = 0;
  failed = 0;
  lastFailure: Failure | undefined;
  /** When its next work is due, as far as this instance knows. Infinity: none is. */
  due = Number.POSITIVE_INFINITY;
  /** Until then it is not looked at again, unless a commit wakes it: what is due cannot be taken now. */
  restsUntil = Number.NEGATIVE_INFINITY;
  measured: Measured | undefined;
  /** Start times of the running pieces. */
  readonly running = new Set<{ readonly since: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly countDone = (count = 1): void => {
    this.done += count;
  };

  readonly countFailed = (says?: string): void => {
    this.failed++;
    if (says !== undefined) this.lastFailure = { at: this.#now(), says: storable(says, maxSaidLength) };
  };

  begin(): () => void {
    const piece = { since: this.#now() };
    this.running.add(piece);
    return () => void this.running.delete(piece);
  }

  get runningSince(): number | undefined {
    const [first] = this.running;
    return first?.since;
  }
}
