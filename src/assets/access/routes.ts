import type { Route } from '../../http/route.ts';
import type { CoreContext } from '../../room/context.ts';
import type { EntityKind } from '../../room/entity.ts';
import { entryRoutes } from './entries/routes.ts';
import { mergedRoutes } from './merged/routes.ts';

/** Access routes for one kind of entity. */
export const accessRoutes = (parts: CoreContext, kind: EntityKind): readonly Route[] => [
  ...entryRoutes(parts, kind),
  ...mergedRoutes(parts, kind),
];
