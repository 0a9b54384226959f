import { ServiceError } from '../../../core/lib/errors.ts';
import type { Linked } from './ast.ts';

/** Refusal of a search that is invalid or too expensive. */
export function badSearch(context: string, explanation: string, value?: string): ServiceError {
  const detail = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-value', { context: `search/${context}`, explanation, ...detail });
}

/** Limits of the engine, and what a caller can do about them. */
const limits: readonly (readonly [beginning: string, expected: string])[] = [
  ['parser stack overflow', 'Expected fewer operators, items, shapes and files inside each other'],
  ['Expression tree is too large', 'Expected fewer criteria beside each other'],
];

/** Refuses searches that exceed the expression depth of the engine, which depends on the criteria. */
export async function refusingTooDeep<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const limit = error instanceof ServiceError ? String(error.detail.explanation) : '';
    const [, expected] = limits.find(([beginning]) => limit.startsWith(beginning)) ?? [];
    throw expected === undefined ? error : badSearch('operator', expected);
  }
}

/** Maximum depth of nested links, and maximum links per search. */
const [maxDepth, max] = [3, 10];

/** Counts links while a search is parsed: each may read all entities of a kind. */
export class LinkBounds {
  #links = 0;
  #depth = 0;

  within<T>(to: Linked, read: () => T): T {
    if (++this.#links > max) throw badSearch(to, `Expected at most ${max} links to other entities`);
    if (++this.#depth > maxDepth)
      throw badSearch(to, `Expected at most ${maxDepth} links to other entities inside each other`);
    const inner = read();
    this.#depth--;
    return inner;
  }
}
