import { type Call, requireDocument } from '../../http/call.ts';
import { flag } from '../../http/parameters/index.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { groupListDocument } from '../documents/users-and-groups.ts';
import { changeGroup, groupNamed } from '../groups/change.ts';
import { type PutGroup, putNothing } from '../groups/rules.ts';
import type { IdentityParts } from '../parts.ts';
import { powerOf } from '../power.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { regroupUser } from '../users/rules.ts';
import { namesAround } from '../users/store.ts';
import { difference, type MembershipChange, membershipChangeOf } from './rules.ts';

/** Routes for memberships, from both sides. Existing memberships are left as they are, without an event. */
export function membershipRoutes(parts: IdentityParts): readonly Route[] {
  const { store } = parts;

  return [
    route({
      method: 'PUT',
      path: '/user/:name/groups',
      says: 'Adds a user to groups and removes it from others.',
      query: { move: flag('Removes the user from groups that the document leaves out', false) },
      reads: groupListDocument,
      access: role('_group_write'),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const document = await requireDocument(call, groupListDocument, parts.limits);
        const change = membershipChangeOf(document.group, (group) => group.groupName);
        await regroup(call, params.name, change, call.query.move);
        return done;
      },
    }),
    ...bothWays('/group/:name/user/:user', async (call, params, into) => {
      const user = await userNamed(parts, segment(params, 'user'));
      return changed(call, { ...putNothing(segment(params, 'name')), users: into(user.name) });
    }),
    ...bothWays('/group/:name/group/:child', async (call, params, into) => {
      const child = await groupNamed(parts, segment(params, 'child'));
      return changed(call, { ...putNothing(segment(params, 'name')), children: into(child.name) });
    }),
  ];

  async function regroup(call: Call, user: string, change: MembershipChange, move: boolean): Promise<void> {
    const byAdministrator = await subjectOf(call).has(administrator);
    await changeUser(parts, call, user, async (row) => {
      const { groups } = await namesAround(store, row);
      const wanted = difference(change, new Set(groups), move);
      const power = await powerOf(store, [...wanted.add, ...wanted.remove]);
      return regroupUser(row, wanted, power, byAdministrator);
    });
  }

  async function changed(call: Call, command: PutGroup): Promise<Reply> {
    await changeGroup(parts, call, command, 'there');
    return done;
  }
}

type Into = (name: string) => MembershipChange;

/** PUT brings in, DELETE takes out. */
function bothWays(path: string, handle: (call: Call, params: Params, into: Into) => Promise<Reply>): readonly Route[] {
  const shared = { path, access: role('_group_write'), acting: 'refused', produces: [] } as const;
  return [
    {
      ...shared,
      method: 'PUT',
      says: 'Adds the user or group in the path to the group.',
      handle: (call, _type, params) => handle(call, params, (name) => ({ add: [name], remove: [] })),
    },
    {
      ...shared,
      method: 'DELETE',
      says: 'Removes the user or group in the path from the group.',
      handle: (call, _type, params) => handle(call, params, (name) => ({ add: [], remove: [name] })),
    },
  ];
}
