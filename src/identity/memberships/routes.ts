import { ServiceError } from '../../core/lib/errors.ts';
import type { Call } from '../../http/call.ts';
import { flag } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { groupListDocument } from '../documents.ts';
import { changeGroup, groupAt } from '../groups/change.ts';
import { type PutGroup, putNothing } from '../groups/rules.ts';
import { isRoleName } from '../names.ts';
import type { IdentityParts } from '../parts.ts';
import { privilegesOf } from '../privileges.ts';
import { changeUser, userAt } from '../users/change.ts';
import { regroupUser } from '../users/rules.ts';
import { namesAround } from '../users/store.ts';
import { type MembershipChange, membershipChangeOf, membershipDifference } from './rules.ts';

/** Routes for memberships, from both sides. Existing memberships are left as they are, without an event. */
export function membershipRoutes(parts: IdentityParts): readonly Route[] {
  const { store } = parts;
  const changed = (call: Call, command: PutGroup) => changeGroup(parts, call, command, 'there');

  return [
    route({
      method: 'PUT',
      path: '/user/:name/groups',
      says: 'Adds a user to groups and removes it from others.',
      query: { move: flag('Removes the user from groups that the document leaves out', false) },
      reads: groupListDocument,
      access: role('_group_write'),
      acting: 'refused',
      isDangerous: true,
      handle(call, { name }) {
        const change = membershipChangeOf(call.body.group, ({ groupName }) => groupName);
        return regroup(call, name, change, call.query.move);
      },
    }),
    route({
      method: 'PUT',
      path: '/group/:name/roles',
      says: 'Gives roles to a group and takes others away: all or none. A role that the group has or lacks already is a conflict, since another request was first.',
      reads: groupListDocument,
      access: role('_group_write'),
      acting: 'refused',
      isDangerous: true,
      handle(call, { name }) {
        const parents = membershipChangeOf(call.body.group, ({ groupName }) => groupName);
        for (const each of [...parents.add, ...parents.remove]) checkRole(each);
        return changed(call, { ...putNothing(name), parents, isExact: true });
      },
    }),
    ...ways.flatMap((way) => [
      route({
        ...way,
        path: '/group/:name/user/:user',
        entities: { user: userAt(parts) },
        access: role('_group_write'),
        acting: 'refused',
        isDangerous: true,
        handle: (call, { name, user }) =>
          changed(call, { ...putNothing(name), users: way.change(user.name), adopts: true }),
      }),
      route({
        ...way,
        path: '/group/:name/group/:child',
        entities: { child: groupAt(parts) },
        access: role('_group_write'),
        acting: 'refused',
        isDangerous: true,
        handle: (call, { name, child }) => changed(call, { ...putNothing(name), children: way.change(child.name) }),
      }),
    ]),
  ];

  async function regroup(call: Call, user: string, change: MembershipChange, move: boolean): Promise<void> {
    const byAdministrator = await subjectOf(call).has(administrator);
    await changeUser(parts, call, user, async (row) => {
      const { groups } = await namesAround(store, row);
      const wanted = membershipDifference(change, new Set(groups), move);
      const power = await privilegesOf(store, [...wanted.add, ...wanted.remove]);
      return regroupUser(row, wanted, power, byAdministrator);
    });
  }
}

function checkRole(name: string): void {
  if (isRoleName(name)) return;
  const explanation = 'Expected a role, whose name begins with an underscore';
  throw new ServiceError('bad-value', {
    context: '/GroupListDocument/group/groupName',
    value: name.slice(0, 80),
    explanation,
  });
}

interface Way {
  readonly method: 'PUT' | 'DELETE';
  readonly says: string;
  change(name: string): MembershipChange;
}

const ways: readonly Way[] = [
  {
    method: 'PUT',
    says: 'Adds the user or group in the path to the group.',
    change: (name) => ({ add: [name], remove: [] }),
  },
  {
    method: 'DELETE',
    says: 'Removes the user or group in the path from the group.',
    change: (name) => ({ add: [], remove: [name] }),
  },
];
