import { configurationRoutes } from '../../../src/configuration/routes.ts';
import { identityRoutes } from '../../../src/identity/routes.ts';
import { feedRoutes } from '../../../src/notifications/feed/routes.ts';
import { places } from '../../../src/notifications/place.ts';
import { notificationRoutes } from '../../../src/notifications/routes.ts';
import { auditRoutes } from '../../../src/operations/audit/routes.ts';
import { operationRoutes } from '../../../src/operations/routes.ts';

const nothing = { settings: {}, store: {}, selfTest: { names: [] } } as never;
type Named = { readonly method: string; readonly path: string };
const named = (routes: readonly Named[]) => routes.map(({ method, path }) => `${method} ${path}`);

/** Every route of the app but those of notifications and of the feed. */
export const routes: readonly string[] = named([
  ...identityRoutes(nothing),
  ...configurationRoutes(nothing),
  ...auditRoutes(nothing),
  ...operationRoutes(nothing),
]);

/** Those of notifications at one place, and the feed: at every other place the same handlers answer. */
export const notificationRoutesAt = (path: string): readonly string[] => {
  if (!places.some((at) => at.path === path)) throw new Error(`Expected a place of notifications: "${path}"`);
  const below = named(notificationRoutes(nothing)).filter((route) => {
    const rest = route.slice(route.indexOf(' ') + 1);
    return rest === path || rest.startsWith(`${path}/`);
  });
  return [...below, ...named(feedRoutes(nothing))];
};
