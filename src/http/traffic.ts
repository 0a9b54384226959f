/** Milliseconds of a span. Requests of this one and of the one before are late enough to tell of. */
const span = 100;

/** Whether requests come just now that would wait for a long turn of the loop. */
export class Traffic {
  #begun = 0;
  #now = 0;
  #before = 0;

  came(now: number): void {
    this.#roll(now);
    this.#now++;
  }

  /** A request that came asks whether others do. */
  hasOthers(now: number): boolean {
    this.#roll(now);
    this.#now = Math.max(this.#now - 1, 0);
    return this.#now + this.#before > 0;
  }

  #roll(now: number): void {
    const spans = Math.floor((now - this.#begun) / span);
    if (spans === 0) return;
    this.#before = spans === 1 ? this.#now : 0;
    this.#now = 0;
    this.#begun += spans * span;
  }
}
