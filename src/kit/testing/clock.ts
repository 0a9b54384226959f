import type { Clock } from '../../core/lib/clock.ts';
import type { Random } from '../../core/lib/random.ts';

export interface ManualClock extends Clock {
  /** Sleeps that have not ended. */
  readonly sleepers: number;
  /** Moves the time on. Each sleep that ends on the way ends at its own moment, the earliest first. */
  advance(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** A clock that stands still until the test moves it. */
export function manualClock(start = 1_700_000_000_000): ManualClock {
  const asleep = new Set<Sleeper>();
  let now = start;

  function next(until: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of asleep) {
      if (sleeper.until <= until && (first === undefined || sleeper.until < first.until)) first = sleeper;
    }
    return first;
  }

  return {
    now: () => now,
    get sleepers() {
      return asleep.size;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          asleep.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          until: now + milliseconds,
          wake() {
            asleep.delete(sleeper);
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        asleep.add(sleeper);
        signal?.addEventListener('abort', stop, { once: true });
      }),
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settle();
      for (let sleeper = next(until); sleeper !== undefined; sleeper = next(until)) {
        now = Math.max(now, sleeper.until);
        sleeper.wake();
        await settle();
      }
      now = until;
    },
  };
}

/** Woken sleepers run, and sleep again, before the time moves on. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Deterministic bytes for a seed, equal on every runtime (splitmix32). Never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;

  function next(): number {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  }

  return {
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
  };
}
