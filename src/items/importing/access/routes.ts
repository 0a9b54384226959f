import { groupThere } from '../../../access/public.ts';
import type { Call } from '../../../http/call.ts';
import { choice } from '../../../http/parameters/index.ts';
import { type Params, type Route, role, route, segment } from '../../../http/route.ts';
import { noSuchGroup } from '../../../identity/public.ts';
import { findGroup } from '../../../identity/public-reading.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { subjectOf } from '../../../security/caller.ts';
import type { ItemsContext } from '../../settings.ts';
import { importAccessListDocument, permissions } from './documents.ts';
import {
  importAccessFits,
  importAccessOf,
  importAccessThere,
  mostGroups,
  putImportAccess,
  removeImportAccess,
} from './store.ts';

/** Routes for the entries that new items of the caller give to groups. */
export function importAccessRoutes({ store }: ItemsContext): readonly Route[] {
  const path = '/import/access';
  const access = role('_import');

  async function keyFor(call: Call, params: Params) {
    const name = segment(params, 'group');
    const group = await findGroup(store, { name });
    if (!group) throw noSuchGroup(name.slice(0, 80));
    return { userId: userIn(call), groupId: group.id };
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The groups that get an access entry on each new item of the caller.',
      answers: importAccessListDocument,
      access,
      async handle(call) {
        const userId = subjectOf(call).user?.id;
        const group = userId === undefined ? [] : await importAccessOf(store, { userId });
        return { group };
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/group/:group`,
      says: 'Sets the access entry that a group gets on each new item of the caller.',
      query: { permission: choice('Level of the group', permissions, { required: true }) },
      access,
      acting: 'refused',
      async handle(call, params) {
        const key = await keyFor(call, params);
        const { permission } = call.query;
        const changes = [
          groupThere({ id: key.groupId }, noSuchGroup(params.group.slice(0, 80))),
          putImportAccess({ ...key, permission }),
          importAccessFits({ userId: key.userId }, full),
        ];
        await call.commit({ changes, events: [] });
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/group/:group`,
      says: 'Removes the access entry that a group gets on new items of the caller.',
      access,
      acting: 'refused',
      async handle(call, params) {
        const key = await keyFor(call, params);
        const missing = noSuchGroup(params.group.slice(0, 80));
        await call.commit({ changes: [importAccessThere(key, missing), removeImportAccess(key)], events: [] });
      },
    }),
  ];
}

/** Refuses callers without a user in the service: entries belong to users. */
function userIn(call: Call): string {
  const { user, name } = subjectOf(call);
  if (user) return user.id;
  throw new ServiceError('bad-value', {
    context: 'import-access',
    id: name,
    explanation: `Expected a user of the service: "${name.slice(0, 80)}"`,
  });
}

const full = new ServiceError('bad-value', {
  context: 'import-access',
  id: 'group',
  explanation: `Expected at most ${mostGroups} groups`,
});
