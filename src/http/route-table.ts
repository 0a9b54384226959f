import type { Params, Route } from './route.ts';
import { firstSegment, type RouteGroup } from './route-group.ts';
import { routingOf } from './routing.ts';

/** Route with the parameters of a request's path. */
export interface RouteAt {
  readonly route: Route;
  readonly params: Params;
}

export interface RouteTable {
  /** The route that answers a request. */
  find(method: string, path: string): RouteAt | undefined;
  /** The methods that a path has. */
  methodsAt(path: string): readonly string[];
  /** The types of entity that have this path with their own name in front, where no path begins as this one does. */
  typesWith(method: string, path: string): readonly string[];
}

/** Types whose sub-resources have the same paths, as `/{entity}/{id}/metadata`. Few: a first look makes the routes of each. */
const entityTypes = ['item', 'collection', 'library', 'storage'];

/** The table of all groups. */
interface WholeTable extends RouteTable {
  /** All routes, in the order of the groups. */
  all(): readonly Route[];
  /**
   * Makes the routes of entities before a request needs them, a group in each step. They are most of all routes, and the
   * first search would wait for them.
   */
  warm(): Generator<void>;
}

/** The table of a list. */
export function tableOf(routes: readonly Route[]): RouteTable {
  const routing = routingOf(routes);
  return {
    find(method, path) {
      const match = routing.find(method, path);
      return match && { route: routes[match.index]!, params: match.params };
    },
    methodsAt: routing.methodsAt,
    typesWith: () => [],
  };
}

/**
 * A table whose routes are made by need: the first request below `/item` makes the groups of that segment, and compiles
 * their paths. `around`: what each route is made into.
 */
export function tableOfGroups(groups: readonly RouteGroup[], around: (route: Route) => Route): WholeTable {
  const routesOfGroup = new Map<RouteGroup, readonly Route[]>();
  const bySegment = new Map<string, RouteGroup[]>();
  for (const group of groups) {
    for (const segment of group.segments) {
      const others = bySegment.get(segment);
      if (others) others.push(group);
      else bySegment.set(segment, [group]);
    }
  }
  const tables = new Map<string, RouteTable>();

  function make(group: RouteGroup): readonly Route[] {
    let routes = routesOfGroup.get(group);
    if (!routes) {
      routes = group.make().map(around);
      checkSegments(group, routes);
      routesOfGroup.set(group, routes);
    }
    return routes;
  }

  function tableAt(path: string): RouteTable | undefined {
    const segment = firstSegment(path);
    const groupTable = tables.get(segment);
    const below = bySegment.get(segment);
    if (groupTable || !below) return groupTable;
    const table = tableOf(below.flatMap(make).filter((route) => firstSegment(route.path) === segment));
    tables.set(segment, table);
    return table;
  }

  function* warm(): Generator<void> {
    for (const type of entityTypes.filter((type) => bySegment.has(type) && !tables.has(type))) {
      for (const group of bySegment.get(type)!) {
        if (routesOfGroup.has(group)) continue;
        make(group);
        yield;
      }
      tableAt(`/${type}`);
      yield;
    }
  }

  const find = (method: string, path: string) => tableAt(path)?.find(method, path);

  return {
    all: () => groups.flatMap(make),
    warm,
    find,
    methodsAt: (path) => tableAt(path)?.methodsAt(path) ?? [],
    typesWith(method, path) {
      const segment = firstSegment(path);
      const rest = path.slice(segment.length + 1);
      if (bySegment.has(segment) || rest === '') return [];
      return entityTypes.filter((type) => find(method, `/${type}${rest}`) !== undefined);
    },
  };
}

/** A route below a segment that its group does not name would never be found. */
function checkSegments({ segments }: RouteGroup, routes: readonly Route[]): void {
  const lost = routes.find(({ path }) => !segments.includes(firstSegment(path)));
  if (lost) throw new Error(`Expected a group that names the first segment of its routes: "${lost.path}"`);
}
