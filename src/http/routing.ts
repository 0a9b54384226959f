import { TrieRouter } from 'hono/router/trie-router';
import { declaresOpaque, escapedPattern, unmarked } from './opaque.ts';
import type { Params } from './route.ts';

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

/** Method and path of a route. */
interface RouteKey {
  readonly method: string;
  readonly path: string;
}

interface RouteMatch {
  /** Index of the route in the list. */
  readonly index: number;
  readonly params: Params;
}

/** Finds the route for a request, by methods and paths only. */
interface Routing {
  find(method: string, path: string): RouteMatch | undefined;
  /** Methods that exist at a path. */
  methodsAt(path: string): readonly string[];
}

const noParams: Params = {};

/** Cache by methods and paths: compiling a list takes longer than making its routes. */
const compiled = new Map<string, Routing>();
/** Twice the first segments of all paths. */
const maxRoutings = 128;

/** The routing of a list. A process that opens many services, such as an edge, compiles it once. */
export function routingOf(list: readonly RouteKey[]): Routing {
  const key = list.map(({ method, path }) => `${method} ${path}`).join('\n');
  let routing = compiled.get(key);
  if (!routing) {
    routing = compile(list);
    if (compiled.size >= maxRoutings) compiled.clear();
    compiled.set(key, routing);
  }
  return routing;
}

function compile(list: readonly RouteKey[]): Routing {
  const places = specificFirst(list.map(({ method, path }, index) => ({ method, path, index })));
  const plain = patterns(places, unmarked);
  // A path with an escape meets no other routes: a parameter that is not opaque never gets a slash.
  // Made for the first of them, because many a process never sees one.
  let escapedPatterns: ReturnType<typeof patterns> | undefined;
  const escaped = () => {
    escapedPatterns ??= patterns(
      places.filter(({ path }) => declaresOpaque(path)),
      escapedPattern,
    );
    return escapedPatterns;
  };
  /** Paths without parameters: a table look-up costs a tenth of the router. */
  const fixed = new Map<string, RouteMatch>();
  for (const { method, path, index } of places) {
    const key = `${method} ${path}`;
    if (!path.includes(':') && !fixed.has(key)) fixed.set(key, { index, params: noParams });
  }
  const at = (path: string) => (path.includes('%') ? escaped() : plain);
  return {
    find: (method, path) => fixed.get(`${method} ${path}`) ?? at(path).find(method, path),
    methodsAt: (path) => at(path).methodsAt(path),
  };
}

function patterns(places: readonly (RouteKey & { readonly index: number })[], patternOf: (path: string) => string) {
  const router = new TrieRouter<number>();
  for (const { method, path, index } of places) router.add(method, patternOf(path), index);
  const methods = [...new Set(places.map(({ method }) => method))];
  return {
    find(method: string, path: string): RouteMatch | undefined {
      const first = router.match(method, path)[0][0];
      return first && { index: first[0], params: decoded(first[1] as Params, path) };
    },
    methodsAt: (path: string) => methods.filter((method) => router.match(method, path)[0].length > 0),
  };
}

/** Only opaque segments hold an escape, and it is decoded once. */
function decoded(params: Params, path: string): Params {
  if (!path.includes('%')) return params;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
}
