import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/core/lib/clock.ts';

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** A clock that stands still until the test moves it; a sleeper wakes when it is moved past its time. */
export interface TestClock extends Clock {
  readonly sleepers: number;
  /** Resolves as soon as somebody sleeps until then: time that is moved before would run past what is still on its way. */
  untilSleeps(due: number): Promise<void>;
  /** Moves on step by step from one sleeper to the next, so that each wakes at its own time, in order. */
  advance(milliseconds: number): Promise<void>;
}

export const startOfTime = Date.UTC(2030, 0, 1);

export function testClock(start = startOfTime): TestClock {
  let now = start;
  let sleeping: Sleeper[] = [];

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        sleeping = sleeping.filter((other) => other !== sleeper);
        signal?.removeEventListener('abort', stop);
      };
      const stop = () => {
        leave();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        due: now + milliseconds,
        wake() {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      sleeping.push(sleeper);
    });
  }

  return {
    now: () => now,
    sleep,
    get sleepers() {
      return sleeping.length;
    },
    async untilSleeps(due) {
      while (!sleeping.some((sleeper) => sleeper.due === due)) await settle(1);
    },
    async advance(milliseconds) {
      const target = now + milliseconds;
      for (;;) {
        const [next] = sleeping.filter(({ due }) => due <= target).sort((a, b) => a.due - b.due);
        if (!next) break;
        now = Math.max(now, next.due);
        next.wake();
        await settle();
      }
      now = target;
      await settle();
    },
  };
}

/** Lets everything that is ready to run do so: no time passes. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * True if the promise is settled within so many turns of the loop, of 100 ms each on an idle machine. A slow machine
 * makes each turn longer, and gives the work of the same process as much less time.
 */
export async function isSettledWithin(turns: number, promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < turns && !isSettled; turn++) await pause(100);
  return isSettled;
}
