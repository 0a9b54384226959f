import type { Linked } from './ast.ts';
import { badSearch } from './refusals.ts';

/** Maximum depth of nested links, and maximum links per search. */
const [deepest, most] = [3, 10];

/** Counts links while a search is parsed: each may read all entities of a kind. */
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
