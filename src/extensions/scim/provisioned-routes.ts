import { changing } from '../../core/store/commit-plan.ts';
import { type Route, role, route } from '../../http/route.ts';
import { userAt } from '../../identity/public.ts';
import { administrator } from '../../security/subject.ts';
import { provision } from './store.ts';
import type { ScimParts } from './user-routes.ts';

/** Opens a user who was there before SCIM to an account of the name, and closes it again. */
export function provisionedRoutes({ store }: ScimParts): readonly Route[] {
  const at = {
    path: '/user/:name/provisioned',
    entities: { name: userAt({ store }) },
    access: role(administrator),
    acting: 'refused',
  } as const;
  return [
    route({
      ...at,
      method: 'PUT',
      says: 'Lets the next account of the name log in as the user, where joinsUsers of the login is "provisioned".',
      isDangerous: true,
      handle: (call, { name: { id } }) => call.commit(changing(provision(id, true))),
    }),
    route({
      ...at,
      method: 'DELETE',
      says: 'Closes the user to accounts that have not logged in as the user yet.',
      handle: (call, { name: { id } }) => call.commit(changing(provision(id, false))),
    }),
  ];
}
