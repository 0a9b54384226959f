import { FairQueue } from './fair-queue.ts';
import type { Maybe } from './maybe.ts';

/** Milliseconds of one turn of the loop that work of several requests shares. What is ready then waits for the next turn. */
const share = 8;

type Soon = (run: () => void) => unknown;

/** No time is meant to pass, so it is no clock's business. */
const soon: Soon = globalThis.setImmediate?.bind(globalThis) ?? ((run) => setTimeout(run, 0));

/**
 * Turns of the loop that requests share. Answers of threads and ends of pauses come in heaps, and the runtime hands out a
 * heap in one turn. Here each turn takes a few milliseconds of it, and accounts alternate.
 */
export class Turns {
  readonly #soon: Soon;
  #now: () => number;
  readonly #waiting = new FairQueue<() => void>();
  /** When the work of this turn began. Undefined: there was none yet. */
  #began: number | undefined;
  /** Account whose work runs: its pauses wait in its line. What comes in from elsewhere is at worst in a wrong line. */
  #account = '';

  constructor(run: Soon, now: () => number) {
    this.#soon = run;
    this.#now = now;
  }

  /** Measures by another clock. */
  measure(now: () => number): void {
    this.#now = now;
  }

  /** Gives the loop back: everything else that is ready runs first. */
  yield(): Promise<void> {
    const account = this.#account;
    return new Promise((resolve) => {
      this.#waiting.push([account], () => {
        this.#account = account;
        resolve();
      });
      this.#soon(this.#next);
    });
  }

  /** Begins work of an account: at once while the turn has time for it. */
  enter(account: string): Maybe<void> {
    this.#account = account;
    return this.#isOver() ? this.yield() : undefined;
  }

  readonly #next = (): void => {
    if (this.#isOver()) this.#soon(this.#next);
    else this.#waiting.take()?.();
  };

  #isOver(): boolean {
    const now = this.#now();
    if (this.#began === undefined) {
      this.#began = now;
      // The first may still run in this turn. The second runs in the next one, ahead of all that is left to it.
      this.#soon(() => this.#soon(this.#end));
    }
    return now - this.#began >= share;
  }

  readonly #end = (): void => {
    this.#began = undefined;
  };
}

let turns: Turns | undefined = new Turns(soon, () => performance.now());

/** For an edge, where the promises of a request end with it: no request may wait for another one. */
export function keepRequestsApart(): void {
  turns = undefined;
}

/** For simulations, which bring their own time: turns are then as long on each machine. */
export const measureTurns = (now: () => number): void => turns?.measure(now);

/** Gives the loop back: everything else that is ready runs first. */
export const yieldTurn = (): Promise<void> => turns?.yield() ?? new Promise((resolve) => setTimeout(resolve, 0));

/** Lets others go first that are ready where this turn was long already. */
export const enterTurn = (account: string): Maybe<void> => turns?.enter(account);

/** Pixels, or what costs as much, that are worked on in one turn of the loop: a few milliseconds. */
const turn = 100_000;

/** Runs steps to their end in this turn: for small work, and where nothing may come in between. */
export function runAtOnce<T>(steps: Generator<number, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs steps, each of which yields its size, and lets other work in between. */
export async function runInSlices<T>(steps: Generator<number, T>): Promise<T> {
  for (let size = 0; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    size += value;
    if (size < turn) continue;
    size = 0;
    await yieldTurn();
  }
}

/** Elements of a long list that are worked on in one step. */
const stepLength = 1000;

/** Whether a list takes steps. */
export const isLongList = ({ length }: readonly unknown[]): boolean => length > stepLength;

/** Maps a long list, without what becomes undefined: steps of `runInSlices`. `size`: of each element. */
export function* mapInSteps<T, R>(
  list: readonly T[],
  map: (element: T, at: number) => R | undefined,
  size: number,
): Generator<number, R[]> {
  const results: R[] = [];
  for (let at = 0; at < list.length; at++) {
    const result = map(list[at]!, at);
    if (result !== undefined) results.push(result);
    if (at % stepLength === stepLength - 1) yield stepLength * size;
  }
  return results;
}

/** Tasks with the same key, one after the other in the order in which they came. A task that fails ends its turn, too. */
export class KeyedQueue {
  /** By key: the end of the line. */
  readonly #lines = new Map<string, Promise<unknown>>();

  /** `waited`: another task went ahead, so what was read before may be stale. Never call it within itself. */
  async take<T>(key: string, task: (waited: boolean) => Promise<T>): Promise<T> {
    const ahead = this.#lines.get(key);
    const own = ahead === undefined ? task(false) : ahead.then(() => task(true));
    const end = own.catch(() => undefined);
    this.#lines.set(key, end);
    try {
      return await own;
    } finally {
      if (this.#lines.get(key) === end) this.#lines.delete(key);
    }
  }
}

/** Entries whose relations are read at once: the rows of one read become objects in one turn of the loop. */
const sliceLength = 100;

/** Makes documents of rows slice by slice, in order. */
export async function inSlices<R, D>(
  rows: readonly R[],
  make: (slice: readonly R[]) => Promise<readonly D[]>,
  length = sliceLength,
): Promise<D[]> {
  const parts: D[] = [];
  for (let at = 0; at < rows.length; at += length) parts.push(...(await make(rows.slice(at, at + length))));
  return parts;
}
