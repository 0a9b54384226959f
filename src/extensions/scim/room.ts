import { below } from '../../http/route-group.ts';
import { provisionedHook } from '../../identity/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { provisioner } from '../../security/subject.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { addProvisioned } from './migrations/0002-provisioned.ts';
import { provisionedRoutes } from './provisioned-routes.ts';
import { scimSettings } from './settings.ts';
import { recordOfUser } from './store.ts';
import * as tables from './tables.ts';
import { type ScimParts, userRoutes } from './user-routes.ts';

/** Users and groups that identity providers bring, change and take away. */
export const scim = defineRoom({
  name: 'scim',
  extension: { says: 'Provisioning of users and groups by identity providers (SCIM 2.0).' },
  settings: scimSettings,
  tables,
  migrations: [addProvisioned],
  roles: [provisioner],
  open(context: ScimParts) {
    return {
      hooks: [
        hooked(provisionedHook, async (userId) => (await recordOfUser(context.store, { userId }))?.provisioned === 1),
      ],
      routes: [
        below('scim', () => [...configurationRoutes(), ...userRoutes(context), ...groupRoutes(context)]),
        below('user', () => provisionedRoutes(context)),
      ],
    };
  },
});
