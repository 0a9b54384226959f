interface Window {
  count: number;
  until: number;
}

/** Number of the oldest entries that are candidates for eviction. */
const candidates = 8;

/**
 * Counts by key, in windows that begin with a key's first request. Memory is bounded. Of the entries without recent use
 * the one with the smallest count goes, so a flood of other names does not remove a busy key.
 */
export class Counters {
  readonly #windows = new Map<string, Window>();
  readonly #limit: number;
  readonly #length: number;
  readonly #most: number;

  constructor(limit: number, length: number, most: number) {
    this.#limit = limit;
    this.#length = length;
    this.#most = most;
  }

  /** Counts one request. Gives the milliseconds to wait if it is one too many, else 0. */
  take(key: string, now: number): number {
    const openWindow = this.#windows.get(key);
    this.#windows.delete(key);
    const window = openWindow && this.#isOpen(openWindow, now) ? openWindow : { count: 0, until: now + this.#length };
    const isOver = window.count >= this.#limit;
    if (!isOver) window.count++;
    if (this.#windows.size >= this.#most) this.#dropOne(now);
    this.#windows.set(key, window);
    return isOver ? window.until - now : 0;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** If the clock was set back, callers still wait at most one window. */
  #isOpen(window: Window, now: number): boolean {
    return now < window.until && window.until - now <= this.#length;
  }

  #dropOne(now: number): void {
    let least: { key: string; count: number } | undefined;
    let looked = 0;
    for (const [key, window] of this.#windows) {
      const count = this.#isOpen(window, now) ? window.count : 0;
      if (!least || count < least.count) least = { key, count };
      if (++looked === candidates || count === 0) break;
    }
    if (least) this.#windows.delete(least.key);
  }
}
