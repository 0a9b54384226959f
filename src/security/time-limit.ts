import type { Clock } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import type { Maybe } from '../lib/maybe.ts';

/** The time that somebody else's code has for one piece of work. Its signal is made only if it is looked at. */
export class Deadline {
  #abort: AbortController | undefined;

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /** Waits for the work no longer than that; whoever hangs is told by the signal, and not waited for. */
  hold<T>(result: Maybe<T>, clock: Clock, milliseconds: number): Maybe<T> {
    if (!(result instanceof Promise)) return result;
    return inTime(result, clock, milliseconds, () => {
      const error = new Error(`Expected an answer within ${milliseconds} ms`);
      this.#abort?.abort(error);
      return error;
    });
  }
}
