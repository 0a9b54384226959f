import { unmarked } from './opaque.ts';

/** How little a segment of a route's path says: a word, a name for any one segment, a name with a pattern. */
const vagueness = (segment: string): number =>
  segment.startsWith(':') ? (unmarked(segment).includes('{') ? 2 : 1) : 0;

/**
 * Orders routes so that the most specific path wins, whatever room it comes from: `/group/notification` before
 * `/group/:name`. Routes that say as much keep their order.
 */
export function specificFirst<T extends { readonly path: string }>(routes: readonly T[]): readonly T[] {
  return routes.toSorted((one, other) => {
    const [a, b] = [one.path.split('/'), other.path.split('/')];
    const differs = a.findIndex((segment, at) => at < b.length && vagueness(segment) !== vagueness(b[at]!));
    return differs === -1 ? 0 : vagueness(a[differs]!) - vagueness(b[differs]!);
  });
}
