import { StylesheetFails, tooSlow } from './fails.ts';

/** About a second. Steps are counted and no clock is read, because the clock of an edge stands still meanwhile. */
const maxSteps = 6_000_000;
/** Characters of all texts and 50 for each node that are made, also of those that are thrown away. */
const maxMade = 24 * 1024 * 1024;
const ofNode = 50;
/** Calls within calls, of templates and functions. */
const maxDepth = 1_000;

/** Resource limits of a transformation. They stop a stylesheet at the same point on every runtime. */
export class Budget {
  #steps = 0;
  #made = 0;
  #depth = 0;

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > maxSteps) throw new StylesheetFails(tooSlow);
  }

  /** Charges a text before it is made. */
  text(length: number): void {
    this.#made += length;
    this.step(1 + length / 64);
    if (this.#made > maxMade) {
      throw new StylesheetFails(`Expected a stylesheet that makes at most ${maxMade} characters of text and nodes`);
    }
  }

  node(): void {
    this.text(ofNode);
  }

  /** Calls something that may call itself. */
  deeper<T>(call: () => T): T {
    if (++this.#depth > maxDepth) {
      throw new StylesheetFails(`Expected at most ${maxDepth} calls of templates and functions within each other`);
    }
    try {
      return call();
    } finally {
      this.#depth--;
    }
  }
}

let active = new Budget();

/** Parts that lie too deep to be handed a budget spend that of the transformation that runs: one does at a time. */
export function spending<T>(budget: Budget, work: () => T): T {
  const before = active;
  active = budget;
  try {
    return work();
  } finally {
    active = before;
  }
}

export const spendSteps = (count: number): void => active.step(count);

/** Charges a text of that many characters before it is made. */
export const spendMade = (length: number): void => active.text(length);

/** For reading that many characters. */
export const spendText = (length: number): void => active.step(1 + length / 64);
