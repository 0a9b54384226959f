import type { Route } from './route.ts';

/** Routes that are made for the first request to one of their paths: most instances never get a request to some. */
export interface RouteGroup {
  /** The first segments of their paths. */
  readonly segments: readonly string[];
  make(): readonly Route[];
}

/** A group by the first segments of its paths: `below(['item', 'collection'], () => …)`. */
export const below = (segments: string | readonly string[], make: () => readonly Route[]): RouteGroup => ({
  segments: [segments].flat(),
  make,
});

/** `item` of `/item/:item/shape`. */
export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end);
}
