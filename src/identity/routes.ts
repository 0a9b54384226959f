import type { Route } from '../http/route.ts';
import { type AccessKeyParts, accessKeyRoutes } from './access-keys/routes.ts';
import { type DeletionParts, deletionRoutes } from './deletion/routes.ts';
import { peopleGraphRoutes } from './graph/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { membershipRoutes } from './memberships/routes.ts';
import { metadataRoutes } from './metadata/routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { relationRoutes } from './relations/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { type TokenParts, tokenRoutes } from './tokens/routes.ts';
import { userRoutes } from './users/routes.ts';
import { type ValidateParts, validateRoute } from './users/validate.ts';

export interface IdentityRouteParts extends TokenParts, AccessKeyParts, ValidateParts, DeletionParts {}

/** Users, groups and roles, and what they come in with. The graph comes first: its address is also that of a user, whose name is reserved. */
export const identityRoutes = (parts: IdentityRouteParts): readonly Route[] => [
  ...peopleGraphRoutes(parts),
  ...userRoutes(parts),
  ...searchRoutes(parts),
  ...profileRoutes(parts),
  ...passwordRoutes(parts),
  validateRoute(parts),
  ...tokenRoutes(parts),
  ...accessKeyRoutes(parts),
  ...deletionRoutes(parts),
  ...groupRoutes(parts),
  ...membershipRoutes(parts),
  ...relationRoutes(parts),
  ...metadataRoutes(parts),
];
