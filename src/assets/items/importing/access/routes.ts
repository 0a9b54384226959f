import { ServiceError } from '../../../../core/lib/errors.ts';
import { changing } from '../../../../core/store/commit-plan.ts';
import { choice } from '../../../../http/parameters/index.ts';
import { type Access, type Route, role, route } from '../../../../http/route.ts';
import { groupAt, noSuchGroup } from '../../../../identity/public.ts';
import { type Caller, subjectOf } from '../../../../security/caller.ts';
import { administrator } from '../../../../security/subject.ts';
import { groupThere } from '../../../access/public.ts';
import type { ItemsContext } from '../../settings.ts';
import { importAccessListDocument, permissions } from './documents.ts';
import {
  everybody,
  importAccessFits,
  importAccessOf,
  importAccessThere,
  mostGroups,
  putImportAccess,
  removeImportAccess,
} from './store.ts';

interface Whose {
  readonly path: string;
  /** End of a sentence. */
  readonly items: string;
  readonly reads: Access;
  readonly writes: Access;
  /** User whose rows are read. Undefined: unknown to the service. */
  readonly read: (call: Caller) => string | undefined;
  readonly write: (call: Caller) => string;
}

const own = role('_import');

const rows: readonly Whose[] = [
  {
    path: '/import/access',
    items: 'new items of the caller',
    reads: own,
    writes: own,
    read: (call) => subjectOf(call).user?.id,
    write: userIn,
  },
  {
    path: '/import/access/default',
    items: 'new items, unless their creator has an own entry for the group',
    reads: own,
    writes: role(administrator),
    read: () => everybody,
    write: () => everybody,
  },
];

/** Routes for the entries that new items give to groups: those of the caller, and those of everybody. */
export const importAccessRoutes = (parts: ItemsContext): readonly Route[] =>
  rows.flatMap((whose) => routesOf(parts, whose));

function routesOf({ store }: ItemsContext, { path, items, reads, writes, ...whose }: Whose): readonly Route[] {
  const group = groupAt({ store });

  return [
    route({
      method: 'GET',
      path,
      says: `The groups that get an access entry on ${items}.`,
      answers: importAccessListDocument,
      access: reads,
      async handle(call) {
        const userId = whose.read(call);
        const group = userId === undefined ? [] : await importAccessOf(store, { userId });
        return { group };
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/group/:group`,
      says: `Sets the access entry that a group gets on ${items}.`,
      entities: { group },
      query: { permission: choice('Level of the group', permissions, { required: true }) },
      access: writes,
      acting: 'refused',
      handle(call, { group: { id: groupId, name } }) {
        const userId = whose.write(call);
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
      says: `Removes the access entry that a group gets on ${items}.`,
      entities: { group },
      access: writes,
      acting: 'refused',
      handle(call, { group: { id: groupId, name } }) {
        const key = { userId: whose.write(call), groupId };
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
