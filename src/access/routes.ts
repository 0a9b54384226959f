import type { Route } from '../http/route.ts';
import type { CoreContext } from '../room/context.ts';
import { type AccessResource, entryRoutes } from './entries/routes.ts';
import { mergedRoutes } from './merged/routes.ts';

/** Access routes for one kind of entity. */
export const accessRoutes = (parts: CoreContext, at: AccessResource): readonly Route[] => [
  ...entryRoutes(parts, at),
  ...mergedRoutes(parts, at),
];
