import type { PathEntities } from '../../http/path-entity.ts';
import type { Route } from '../../http/route.ts';
import { below, firstSegment, type RouteGroup } from '../../http/route-group.ts';
import { externalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import { attemptRoutes } from './attempts/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { parkedRoutes } from './parked/routes.ts';
import type { NotificationParts } from './parts.ts';
import { type NotificationResource, notificationIn, places } from './place.ts';
import { registrationRoutes } from './registration/routes.ts';
import { type ReplayParts, replayRoutes } from './replay/routes.ts';
import { secretRoutes } from './secrets/routes.ts';
import { trialRoutes } from './trial-routes.ts';

/** Names that others give a notification. Its lists and refusals are older than those of other kinds. */
function notificationExternalIds(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const entities = notificationIn(parts, at);
  return externalIdRoutes(parts, {
    kind: { type: 'notification', noun: 'Notification' },
    path: `${at.path}/:notification{opaque}`,
    read: at.read,
    write: at.write,
    acting: 'allowed',
    entities: () => entities as PathEntities,
    taken: 'already-exists',
    listedAs: 'notification',
  });
}

const kinds = [
  registrationRoutes,
  notificationExternalIds,
  secretRoutes,
  healthRoutes,
  attemptRoutes,
  parkedRoutes,
  replayRoutes,
  trialRoutes,
];

/** Routes at all paths where notifications are registered. */
export const notificationRoutes = (parts: ReplayParts): readonly RouteGroup[] =>
  places.map((at) => below(firstSegment(at.path), () => kinds.flatMap((routes) => routes(parts, at))));
