import { unmarked } from './opaque.ts';

/** How little a segment of a route's path says: a word, a name for any one segment, a name with a pattern. */
const vagueness = (segment: string): number =>
  segment.startsWith(':') ? (unmarked(segment).includes('{') ? 2 : 1) : 0;

/** Of a path that has ended. */
const ended = 3;

/**
 * Orders routes so that the most specific path wins, whatever room it comes from: `/group/notification` before
 * `/group/:name`. Routes that say as much keep their order.
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
