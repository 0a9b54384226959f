import { groupThere } from '../../../access/public.ts';
import { choice } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { groupAt, noSuchGroup } from '../../../identity/public.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { changing } from '../../../store/commit-plan.ts';
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

  const group = groupAt({ store });

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
      entities: { group },
      query: { permission: choice('Level of the group', permissions, { required: true }) },
      access,
      acting: 'refused',
      handle(call, { group: { id: groupId, name } }) {
        const userId = userIn(call);
        const { permission } = call.query;
        const changes = [
          groupThere({ id: groupId }, noSuchGroup(name)),
          putImportAccess({ userId, groupId, permission }),
          importAccessFits({ userId }, full),
        ];
        return call.commit({ changes, events: [] });
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/group/:group`,
      says: 'Removes the access entry that a group gets on new items of the caller.',
      entities: { group },
      access,
      acting: 'refused',
      handle(call, { group: { id: groupId, name } }) {
        const key = { userId: userIn(call), groupId };
        return call.commit(changing(importAccessThere(key, noSuchGroup(name)), removeImportAccess(key)));
      },
    }),
  ];
}

/** Refuses callers without a user in the service: entries belong to users. */
function userIn(call: Caller): string {
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
