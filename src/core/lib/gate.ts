import { type Clock, noLongerAwaited, systemClock } from './clock.ts';
import { FairQueue, type Line } from './fair-queue.ts';

/** The queue in front of a bounded resource is full, or the wait in it took too long. */
export class GateFull extends Error {}

/** A time limit that does not run while its work waits for a turn. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

export interface InLine {
  /** Read only when the task has to wait. Default: one line for all. */
  readonly line?: Line;
  readonly patience?: Pausable | undefined;
  /** Milliseconds, if less than the gate allows. */
  readonly maxWait?: number;
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
}

interface Limits {
  /** Tasks that run at once. */
  readonly width: number;
  /** Tasks that wait. Default: any number. */
  readonly depth?: number;
  /** Milliseconds that one of them waits. Default: as long as it takes. */
  readonly maxWait?: number;
}

interface Waiting {
  begin(): void;
  leave(reason: unknown): void;
}

/**
 * Bounds expensive work, such as password hashing: it can neither take every core nor pile up without end. The lines take
 * turns. A full queue drops from the longest line, so that one caller's flood does not keep out the others.
 */
export class Gate {
  readonly #limits: Required<Limits>;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #queue = new FairQueue<Waiting>();
  #running = 0;

  constructor(limits: Limits, clock: Pick<Clock, 'sleep'> = systemClock) {
    this.#limits = { depth: Number.POSITIVE_INFINITY, maxWait: Number.POSITIVE_INFINITY, ...limits };
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** The next task would have to wait. */
  get taken(): boolean {
    return this.#running >= this.#limits.width;
  }

  async run<T>(task: () => Promise<T>, wait: InLine = {}): Promise<T> {
    if (this.taken) await this.#turn(wait);
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

  async #turn({ line = [], patience, maxWait = Number.POSITIVE_INFINITY, signal }: InLine): Promise<void> {
    const time = Math.min(maxWait, this.#limits.maxWait);
    const over = new AbortController();
    patience?.pause();
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { begin: resolve, leave: reject };
        this.#queue.push(line, waiting);
        if (this.#queue.size > this.#limits.depth) this.#queue.drop(line)?.leave(new GateFull());
        // A task that has its turn already keeps it.
        const leave = (reason: unknown) => this.#queue.remove(line, waiting) && reject(reason);
        signal?.addEventListener('abort', () => leave(signal.reason), { once: true, signal: over.signal });
        if (time < Number.POSITIVE_INFINITY)
          this.#clock.sleep(time, over.signal).then(
            () => leave(new GateFull()),
            () => undefined,
          );
      });
    } finally {
      over.abort(noLongerAwaited);
      patience?.resume();
    }
  }
}
