import type { Clock } from '../../core/lib/clock.ts';

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
