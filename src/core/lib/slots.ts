/** Bounds work that runs at once. Further work waits in order. */
export class Slots {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number) {
    this.#width = width;
  }

  async take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running++;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      // Handed on: if the slot was given back, a newcomer could take it before those that wait.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = this.#waiting.indexOf(begin);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
