import type { Clock } from './clock.ts';

/** Wakes the waiters of this process: there is something to look at. What happens while they look is not missed. */
export interface Waker {
  wake(): void;
  /** Grows with each waking: ask before looking, and wait with what it was. */
  readonly turn: number;
  /** Resolves as soon as there was a waking after that turn, or after that time, or when the signal says so. */
  wait(turn: number, milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Made once: without a reason, a runtime makes an exception for each waking. */
const woken = new Error('There is something to look at');

export function createWaker(clock: Clock): Waker {
  let turn = 0;
  const sleepers = new Set<() => void>();
  return {
    get turn() {
      return turn;
    },
    wake() {
      turn++;
      for (const end of sleepers) end();
    },
    async wait(seen, milliseconds, signal) {
      if (seen !== turn || signal?.aborted) return;
      const over = new AbortController();
      const end = () => over.abort(woken);
      sleepers.add(end);
      const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
      // Whichever it was: the sleep ends early, or the time is over.
      await clock.sleep(milliseconds, either).catch(() => undefined);
      sleepers.delete(end);
    },
  };
}
