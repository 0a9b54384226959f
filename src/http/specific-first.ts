import { unmarked } from './opaque.ts';

/** Vagueness of a path segment: 0 for a word, 1 for a parameter, 2 for a parameter with a pattern. */
const vagueness = (segment: string): number =>
  segment.startsWith(':') ? (unmarked(segment).includes('{') ? 2 : 1) : 0;

/** Rank of a missing segment, for the shorter path. */
const ended = 3;

/**
 * Sorts routes by specificity across all rooms: `/group/notification` before `/group/:name`. Equally specific routes
 * keep their order.
 */
export function specificFirst<T extends { readonly path: string }>(routes: readonly T[]): readonly T[] {
  return routes
    .map((route) => ({ route, says: route.path.split('/').map(vagueness) }))
    .sort((one, other) => {
      const length = Math.max(one.says.length, other.says.length);
      for (let at = 0; at < length; at++) {
        const difference = (one.says[at] ?? ended) - (other.says[at] ?? ended);
        if (difference !== 0) return difference;
      }
      return 0;
    })
    .map(({ route }) => route);
}
