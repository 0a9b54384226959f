import { below, type RouteGroup } from '../http/route-group.ts';
import { type AccessKeyParts, accessKeyRoutes } from './access-keys/routes.ts';
import { type DeletionParts, userDeletionRoutes } from './deletion/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { membershipRoutes } from './memberships/routes.ts';
import { userMetadataRoutes } from './metadata/routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { userRelationRoutes } from './relations/routes.ts';
import { userSearchRoutes } from './search/routes.ts';
import { type SessionParts, sessionRoutes } from './sessions/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { userRoutes } from './users/routes.ts';
import { type ValidateParts, validateRoute } from './users/validate.ts';

interface IdentityRouteParts extends SessionParts, AccessKeyParts, ValidateParts, DeletionParts {}

/** Users, groups and roles, and what they come in with. */
export const identityRoutes = (parts: IdentityRouteParts): readonly RouteGroup[] => [
  below(['whoami', 'user'], () => userRoutes(parts)),
  below(['user', 'group'], () => userSearchRoutes(parts)),
  below('user', () => profileRoutes(parts)),
  below('user', () => passwordRoutes(parts)),
  below('user', () => [validateRoute(parts)]),
  below(['token', 'user'], () => tokenRoutes(parts)),
  below(['session', 'APInoauth'], () => sessionRoutes(parts)),
  below('user', () => accessKeyRoutes(parts)),
  below('user', () => userDeletionRoutes(parts)),
  below('group', () => groupRoutes(parts)),
  below(['user', 'group'], () => membershipRoutes(parts)),
  below(['user', 'group'], () => userRelationRoutes(parts)),
  below(['user', 'group'], () => userMetadataRoutes(parts)),
];
