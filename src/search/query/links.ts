import type { Linked } from './ast.ts';
import { badSearch } from './refusals.ts';

/** Links to other entities inside each other, and in one search. */
const [deepest, most] = [3, 10];

/** Counts the links of one search while it is read: each one reads all entities of a kind at worst. */
export class LinkBounds {
  #links = 0;
  #depth = 0;

  within<T>(to: Linked, read: () => T): T {
    if (++this.#links > most) throw badSearch(to, `Expected at most ${most} links to other entities`);
    if (++this.#depth > deepest)
      throw badSearch(to, `Expected at most ${deepest} links to other entities inside each other`);
    const inner = read();
    this.#depth--;
    return inner;
  }
}
