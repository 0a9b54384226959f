interface Entry<V> {
  value: V;
  until: number;
  /** Since it came to the end of the order. */
  used: boolean;
}

/**
 * A map that keeps the entries used last, up to a bound, each no longer than its time. A use only marks the entry.
 * The map reorders marked entries when it is full, because reads are frequent and evictions are rare.
 */
export class Recent<K, V> {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: K, now: number): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until <= now) {
      this.#entries.delete(key);
      return undefined;
    }
    entry.used = true;
    return entry.value;
  }

  set(key: K, value: V, until: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#max) this.#evict();
    this.#entries.set(key, { value, until, used: false });
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Ends: each marked entry loses its mark before it comes up again. */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (!entry.used) return;
      entry.used = false;
      this.#entries.set(key, entry);
    }
  }
}

/**
 * A result that is made when it is first asked for. Object literals of requests have such functions instead of getters.
 * V8 gives each literal with a getter a shape of its own, in old memory. All that the getter can reach then stays there
 * until the next full collection.
 */
export function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}
