interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Cache with an expiry for each entry. The oldest entry is evicted if it is full. */
export class Remembered<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, until: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until });
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
