import { type Clock, noLongerAwaited } from '../core/lib/clock.ts';
import type { Pausable } from '../core/lib/gate.ts';
import type { Maybe } from '../core/lib/maybe.ts';

/** The time that a plugin has for one piece of work. Time in our own queues does not count. */
export class Deadline implements Pausable {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #of: string;
  #abort: AbortController | undefined;
  /** Pauses that go on. */
  #pauses = 0;
  #pausedAt = 0;
  /** Milliseconds of the pauses that ended. */
  #paused = 0;
  #resumed: (() => void) | undefined;
  #isOver = false;

  /** `of`: what is to answer, such as `the realm people`. */
  constructor(clock: Clock, milliseconds: number, of: string) {
    this.#clock = clock;
    this.#of = of;
    this.#milliseconds = milliseconds;
  }

  /** Whether the time was up before the work was done. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Made when the plugin reads it: most never do. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  pause(): void {
    if (this.#pauses++ === 0) this.#pausedAt = this.#clock.now();
  }

  resume(): void {
    if (--this.#pauses > 0) return;
    this.#paused += Math.max(0, this.#clock.now() - this.#pausedAt);
    this.#resumed?.();
  }

  /** Gives the result of the work, or fails when the time is up. Then the signal tells the work to stop. */
  hold<T>(result: Maybe<T>): Maybe<T> {
    if (!(result instanceof Promise)) return result;
    const over = new AbortController();
    return new Promise<T>((resolve, reject) => {
      this.#end(over.signal).then(
        () => {
          const error = new Error(
            `Expected an answer of ${this.#of} within ${this.#milliseconds} ms (setting realmTimeout)`,
          );
          this.#isOver = true;
          this.#abort?.abort(error);
          reject(error);
        },
        () => undefined,
      );
      result.then(resolve, reject);
    }).finally(() => over.abort(noLongerAwaited));
  }

  /** Sleeps for the whole time, and then for what is left because of pauses: never more than those, if the clock jumps. */
  async #end(signal: AbortSignal): Promise<void> {
    const begun = this.#clock.now();
    let added = 0;
    for (let left = this.#milliseconds; left > 0; ) {
      await this.#clock.sleep(left, signal);
      if (this.#pauses > 0)
        await new Promise<void>((resolve) => {
          this.#resumed = resolve;
        });
      const worked = this.#clock.now() - begun - this.#paused;
      left = Math.min(this.#milliseconds - worked, this.#paused - added);
      added = this.#paused;
    }
  }
}
