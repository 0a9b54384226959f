import { anybody, anyCaller, type Route, route } from '../http/route.ts';
import { firstSegment, type RouteGroup } from '../http/route-group.ts';
import type { Room } from '../room/define-room.ts';
import { leftOut } from '../room/hook.ts';
import { extensionRoutes } from './extension-routes.ts';
import { rooms } from './rooms.ts';

const all: readonly Room[] = rooms;

/** Names of all extensions, with those that a bundle leaves out. */
export const extensionNames: readonly string[] = all
  .filter(({ extension, isLeftOut }) => extension ?? isLeftOut)
  .map(({ name }) => name);

/** Names with those of the extensions that are built on them. */
export function withDependents(without: readonly string[]): readonly string[] {
  const absent = new Set(without);
  for (let before = -1; before !== absent.size; ) {
    before = absent.size;
    for (const { name, extension } of all) if (extension?.needs?.some((each) => absent.has(each))) absent.add(name);
  }
  return extensionNames.filter((name) => absent.has(name));
}

interface Chosen {
  readonly present: readonly Room[];
  /** Names of the extensions that are left out. */
  readonly absent: readonly string[];
}

/** Rooms of a service. `without`: extensions that its operator leaves out, beside those that its bundle lacks. */
export function chooseRooms(without: readonly string[]): Chosen {
  const lacking = all.filter(({ isLeftOut }) => isLeftOut).map(({ name }) => name);
  const absent = withDependents([...without, ...lacking]);
  return { present: all.filter(({ name }) => !absent.includes(name)), absent };
}

/** Routes of extensions that are left out. Each answers 501 with the name of its extension. */
export const routesOfAbsent = (absent: readonly string[]): readonly RouteGroup[] =>
  absent.flatMap((name) => {
    const lines = (extensionRoutes[name] ?? '').trim().split('\n');
    const routes = lines.filter((line) => line !== '').map((line) => routeOf(name, line));
    const segments = [...new Set(routes.map(({ path }) => firstSegment(path)))];
    return routes.length === 0 ? [] : [{ segments, make: () => routes }];
  });

function routeOf(extension: string, line: string): Route {
  const [method, path] = line.split(' ') as [Exclude<Route['method'], 'OPTIONS'>, string];
  return route({
    method,
    path,
    says: `Answers 501: this service leaves out the extension ${extension}.`,
    access: path.startsWith('/APInoauth/') ? anybody : anyCaller,
    acting: 'allowed',
    handle() {
      throw leftOut(extension);
    },
  });
}
