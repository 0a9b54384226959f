import type { Clock } from '../../lib/clock.ts';

/** Milliseconds between calls that try a server which does not answer. */
const tryEvery = 1_000;

/**
 * Knows whether the server answers. While it does not, callers are refused at once and one a second tries it. Otherwise
 * each caller would wait for its own time limit, and callers would pile up behind each other.
 */
export class Breaker {
  readonly #now: Clock['now'];
  #answeredAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #isOpen = false;

  constructor(now: Clock['now']) {
    this.#now = now;
  }

  /** Whether the server is known to hang. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Milliseconds that a caller waits at most who tries a server that hangs. */
  get patience(): number {
    return this.#isOpen ? tryEvery : Number.POSITIVE_INFINITY;
  }

  /** A call ended by itself. A server that refuses connections does not hang. */
  answered(): void {
    this.#answeredAt = this.#now();
    this.#isOpen = false;
  }

  /** A call of that time got no answer. Where another one got its answer since, the statement takes long. */
  silent(sentAt: number): void {
    if (this.#answeredAt > sentAt || this.#isOpen) return;
    this.#isOpen = true;
    this.#triedAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether a caller may send a call now, who has waited in vain until that time. */
  admits(waitedUntil: number): boolean {
    if (!this.#isOpen) return true;
    const now = this.#now();
    if (now - Math.max(this.#triedAt, waitedUntil) < tryEvery) return false;
    this.#triedAt = now;
    return true;
  }
}
