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
