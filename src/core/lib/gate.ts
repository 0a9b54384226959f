import { type Clock, noLongerAwaited } from './clock.ts';
import { FairQueue, type Line } from './fair-queue.ts';

/** The queue in front of a bounded resource is full, or the wait in it took too long. */
export class GateFull extends Error {}

/** A time limit that does not run while its work waits for a turn. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

export interface InLine {
  /** Read only when the task has to wait. */
  readonly line: Line;
  readonly patience?: Pausable | undefined;
  /** Milliseconds, if less than the gate allows. */
  readonly longest?: number;
}

interface Limits {
  /** Tasks that run at once. */
  readonly width: number;
  /** Tasks that wait. */
  readonly depth: number;
  /** Milliseconds that one of them waits. */
  readonly longest: number;
}

interface Waiting {
  begin(): void;
  leave(): void;
}

/**
 * Bounds expensive work (password hashing): it can neither take every core nor pile up without end. The lines take
 * turns. A full queue drops from the longest line, so that one caller's flood does not keep out the others.
 */
export class Gate {
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #queue = new FairQueue<Waiting>();
  #running = 0;

  constructor(limits: Limits, clock: Pick<Clock, 'sleep'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** The next task would have to wait. */
  get taken(): boolean {
    return this.#running >= this.#limits.width;
  }

  async run<T>(task: () => Promise<T>, place: InLine): Promise<T> {
    if (this.taken) await this.#turn(place);
    else this.#running++;
    try {
      return await task();
    } finally {
      // The gate hands the place on. If the gate gave it back, a newcomer could take it before those that wait.
      const next = this.#queue.take();
      if (next) next.begin();
      else this.#running--;
    }
  }

  async #turn({ line, patience, longest = this.#limits.longest }: InLine): Promise<void> {
    const over = new AbortController();
    patience?.pause();
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { begin: resolve, leave: () => reject(new GateFull()) };
        this.#queue.push(line, waiting);
        if (this.#queue.size > this.#limits.depth) this.#queue.drop(line)?.leave();
        this.#clock.sleep(Math.min(longest, this.#limits.longest), over.signal).then(
          // A task that has its turn already keeps it.
          () => this.#queue.remove(line, waiting) && waiting.leave(),
          () => undefined,
        );
      });
    } finally {
      over.abort(noLongerAwaited);
      patience?.resume();
    }
  }
}
