import { places } from '../../../src/administration/notifications/place.ts';
import { unmarked } from '../../../src/http/opaque.ts';
import type { Route } from '../../../src/http/route.ts';
import { filePaths } from '../../../src/storage/files/entity.ts';
import { openService } from '../../support/service.ts';

const world = await openService({ start: false });
/** Every route of the context. */
export const all: readonly Route[] = world.service.routes;
await world.close();

export const nameOf = ({ method, path }: Route): string => `${method} ${unmarked(path)}`;
const named = (routes: readonly Route[]) => routes.map(nameOf);
const isBelow = (place: string, { path }: Route): boolean => path === place || path.startsWith(`${place}/`);
const isFeed = ({ path }: Route): boolean => path === '/event';
const [fileAddress, ...otherAddresses] = filePaths;
/** `test/storage/files-addresses.test.ts` tries every call about a file at every address. A file of no archive is refused: `test/extensions/archives/restores.test.ts` tries it. */
const isElsewhere = (route: Route): boolean =>
  otherAddresses.some((path) => isBelow(path, route)) || route.path === `${fileAddress}/restore`;

/** Every route of the app but those of notifications and of the feed, which have tables of their own. */
export const everyRoute = all.filter(
  (route) => !isFeed(route) && !isElsewhere(route) && !places.some(({ path }) => isBelow(path, route)),
);
export const routes = named(everyRoute);

/** Routes of notifications at one place, and of the feed: at every other place the same handlers answer. */
export function notificationRoutesAt(place: string): readonly string[] {
  if (!places.some((at) => at.path === place)) throw new Error(`Expected a place of notifications: "${place}"`);
  return named(all.filter((route) => isFeed(route) || isBelow(place, route)));
}

const names: Readonly<Record<string, string>> = {
  ':entity': 'crew',
  ':notification': 'VX-1',
  ':externalId': 'mine',
  ':delivery': '1',
  ':sequence': '1',
};

/** The path of a route of notifications, with names for its parameters. */
export const filled = (path: string): string => unmarked(path).replace(/:\w+/g, (name) => names[name]!);
