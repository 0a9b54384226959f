import type { Route } from '../http/route.ts';
import { deletionRoutes } from './deletion/routes.ts';
import { graphRoutes } from './graph/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { keyValueRoutes } from './key-values/routes.ts';
import { membershipRoutes } from './memberships/routes.ts';
import type { IdentityParts } from './parts.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { relationRoutes } from './relations/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { userRoutes } from './users/routes.ts';

/** Users, groups and roles. The graph comes first: its address is also that of a user, whose name is reserved. */
export const identityRoutes = (parts: IdentityParts): readonly Route[] => [
  ...graphRoutes(parts),
  ...userRoutes(parts),
  ...searchRoutes(parts),
  ...profileRoutes(parts),
  ...passwordRoutes(parts),
  ...deletionRoutes(parts),
  ...groupRoutes(parts),
  ...membershipRoutes(parts),
  ...relationRoutes(parts),
  ...keyValueRoutes(parts),
];
