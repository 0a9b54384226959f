import { ServiceError } from '../../../core/lib/errors.ts';
import type { Linked } from './ast.ts';

/** Refusal of a search that is invalid or too expensive. */
export function badSearch(context: string, explanation: string, value?: string): ServiceError {
  const detail = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-value', { context: `search/${context}`, explanation, ...detail });
}

/** Refuses searches that exceed the expression depth of the engine, which depends on the criteria. */
export async function refusingTooDeep<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServiceError && error.detail.explanation === 'parser stack overflow')) throw error;
    throw badSearch('operator', 'Expected fewer operators, items, shapes and files inside each other');
  }
}

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
