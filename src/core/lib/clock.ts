/** The time, injected by the host so that a test can own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after that many milliseconds, or rejects with the signal's reason. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Ends a sleep. Made once: without a reason, a runtime makes an exception for each signal. */
export const noLongerAwaited = new Error('Nobody waits any more');

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** Beginning and end of some work, in milliseconds since the epoch. */
export interface Elapsed {
  readonly from: number;
  readonly to: number;
  /** Whether the work threw. */
  readonly failed: boolean;
}

/** Result of the work, whose times are reported at its end. */
export async function timed<T>(
  now: Clock['now'],
  work: () => Promise<T>,
  report: (elapsed: Elapsed) => void,
): Promise<T> {
  const from = now();
  let failed = true;
  try {
    const result = await work();
    failed = false;
    return result;
  } finally {
    report({ from, to: now(), failed });
  }
}

/** Result of the work, or the error of `late` after the time limit: a hanging plugin blocks nothing. */
export function inTime<T>(
  work: Promise<T>,
  clock: Pick<Clock, 'sleep'>,
  milliseconds: number,
  late: () => Error,
): Promise<T> {
  const over = new AbortController();
  return new Promise<T>((resolve, reject) => {
    clock.sleep(milliseconds, over.signal).then(
      () => reject(late()),
      // The clock is let go of when the work is done.
      () => undefined,
    );
    work.then(resolve, reject);
  }).finally(() => over.abort(noLongerAwaited));
}

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

const begins = new WeakMap<object, number>();

/** Milliseconds until the next beat of a clock. Looks at the same beat share a call to the database. */
export function untilBeat(clock: Pick<Clock, 'now'>, every: number): number {
  const now = clock.now();
  const begin = begins.get(clock) ?? now;
  begins.set(clock, begin);
  return every - ((((now - begin) % every) + every) % every);
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90m`, `6h`, `2d`: in milliseconds. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit]!;
}
