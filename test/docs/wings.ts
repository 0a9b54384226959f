import type { Route } from '../../src/http/route.ts';
import type { RouteGroup } from '../../src/http/route-group.ts';
import type { Room } from '../../src/room/define-room.ts';
import { sourcesIn } from '../architecture/sources.ts';

export type WingOf = (route: Route) => string;

const keyOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Wings of rooms by their names. */
async function wingsOfRooms(): Promise<ReadonlyMap<string, string>> {
  const paths = sourcesIn('src').flatMap(({ path }) => (path.endsWith('/room.ts') ? [path] : []));
  const declared = await Promise.all(
    paths.map(async (path) => {
      const rooms: readonly Partial<Room>[] = Object.values(await import(/* @vite-ignore */ `../../${path}`));
      return rooms.flatMap(({ name, open }) => (open ? [[name!, path.split('/')[1]!] as const] : []));
    }),
  );
  return new Map(declared.flat());
}

/** The wing of each route, by the place of the room that declares it. */
export async function wingsOfRoutes(groups: ReadonlyMap<string, readonly RouteGroup[]>): Promise<WingOf> {
  const wings = await wingsOfRooms();
  const declared = Array.from(groups, ([room, ofRoom]) =>
    ofRoom.flatMap((group) => group.make()).map((route) => [keyOf(route), wings.get(room)!] as const),
  );
  const byKey = new Map(declared.flat());
  return (route) => byKey.get(keyOf(route))!;
}
