/** Milliseconds of a time span. Load is judged by the requests of this span and the one before. */
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

  /** A request asks whether others come, and is none to those that ask later. `came`: when it did. */
  hasOthers(now: number, came: number): boolean {
    this.#roll(now);
    if (came >= this.#begun) this.#now--;
    else if (came >= this.#begun - span) this.#before--;
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
