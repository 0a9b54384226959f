/** The queue in front of a bounded resource is full. */
export class GateFull extends Error {}

/**
 * Runs at most `width` tasks at once and keeps at most `depth` waiting, so that expensive work
 * (password hashing) can neither take every core nor pile up without end.
 */
export class Gate {
  readonly #width: number;
  readonly #depth: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number, depth: number) {
    this.#width = width;
    this.#depth = depth;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) {
      if (this.#waiting.length >= this.#depth) throw new GateFull();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await task();
    } finally {
      // The place is handed on rather than given back, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
