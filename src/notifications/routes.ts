import { below, firstSegment, type RouteGroup } from '../http/route-group.ts';
import { attemptRoutes } from './attempts/routes.ts';
import { notificationExternalIds } from './external-ids/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { parkedRoutes } from './parked/routes.ts';
import { places } from './place.ts';
import { registrationRoutes } from './registration/routes.ts';
import { type ReplayParts, replayRoutes } from './replay/routes.ts';
import { secretRoutes } from './secrets/routes.ts';
import { trialRoutes } from './trial/routes.ts';

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
