/** Lets several pieces of work run at once, as far as their bytes fit together. The caller that adds or ends is told the first failure. */
export class InFlight {
  readonly #max: number;
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Waits for room. One that is larger than all the room runs alone. */
  async add(bytes: number, work: () => Promise<void>): Promise<void> {
    while (this.#running.size > 0 && this.#bytes + bytes > this.#max) await Promise.race(this.#running);
    this.#throw();
    this.#bytes += bytes;
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#bytes -= bytes;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Waits until all tasks have ended, whatever their result. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  async ended(): Promise<void> {
    await this.settled();
    this.#throw();
  }

  #throw(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
