import { accountOf, type Call } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { booleanParameter, type Page, pageParameters } from '../../http/parameter.ts';
import { lines, plain, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, roleOrSelf } from '../../http/route.ts';
import { type GroupList, groupListDocument, userListDocument } from '../documents/users-and-groups.ts';
import { groupNamed } from '../groups/change.ts';
import { briefGroup } from '../groups/documents.ts';
import type { IdentityParts } from '../parts.ts';
import { userNamed } from '../users/change.ts';
import { briefUser } from '../users/documents.ts';
import { hierarchyOf } from './documents.ts';
import { belongsTo, edgesAmong, groupsOf, usersOf } from './store.ts';

const ofUser = roleOrSelf('_user_read', 'name');

/** Which groups a user is in, and what a group is in and has in it. */
export function relationRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const pageOf = ({ parameters }: Call): Page => pageParameters(parameters, settings.maxPage);
  const readerOf = (call: Call) => store.reader(accountOf(call));
  const wants = ({ parameters }: Call, name: string): boolean => booleanParameter(parameters, name) ?? false;

  return [
    {
      method: 'GET',
      path: '/user/:name/groups',
      access: ofUser,
      produces: documentTypes,
      async handle(call, type, params) {
        const { id } = await userNamed(parts, params['name']!);
        const all = wants(call, 'allgroups');
        if (wants(call, 'traverse') && all) return render(type, groupListDocument, await hierarchy(call, id));
        const set = all ? 'allGroupsOfUser' : 'groupsOfUser';
        const { hits, groups } = await groupsOf(readerOf(call), set, id, false, pageOf(call));
        return render(type, groupListDocument, { hits, group: groups.map(briefGroup) });
      },
    },
    { method: 'GET', path: '/user/:name/roles', access: ofUser, produces: documentTypes, handle: effective(true) },
    {
      method: 'GET',
      path: '/user/:name/allgroups',
      access: ofUser,
      produces: documentTypes,
      handle: effective(undefined),
    },
    {
      method: 'GET',
      path: '/user/:name/belongstogroup/:group',
      access: ofUser,
      produces: textOnly,
      async handle(_call, _type, params) {
        const { id } = await userNamed(parts, params['name']!);
        // Nobody belongs to what is not there: a user who asks about itself learns no more of groups than that.
        return plain(String(await belongsTo(store, id, params['group']!)));
      },
    },
    related('parents', 'ancestors'),
    related('children', 'descendants'),
    {
      method: 'GET',
      path: '/group/:name/users',
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const { id } = await groupNamed(parts, params['name']!);
        const set = wants(call, 'traverse') ? 'membersBelow' : 'members';
        const { hits, users } = await usersOf(readerOf(call), set, id, pageOf(call));
        if (type === 'text/plain') return lines(users.map((user) => [user.name, user.realName ?? '']));
        return render(type, userListDocument, { hits, user: users.map(briefUser) });
      },
    },
  ];

  async function hierarchy(call: Call, id: string): Promise<GroupList> {
    const whole = { offset: 0, limit: settings.maxPage };
    const reader = readerOf(call);
    const { groups: tops } = await groupsOf(reader, 'groupsOfUser', id, false, pageOf(call));
    const { groups } = await groupsOf(reader, 'allGroupsOfUser', id, false, whole);
    const ids = groups.map((group) => group.id);
    return hierarchyOf(tops, groups, await edgesAmong(reader, ids, settings.maxPage));
  }

  function effective(roles: true | undefined) {
    return async (call: Call, type: MediaType, params: Params): Promise<Reply> => {
      const { id } = await userNamed(parts, params['name']!);
      const { hits, groups } = await groupsOf(readerOf(call), 'allGroupsOfUser', id, roles, pageOf(call));
      return render(type, groupListDocument, { hits, group: groups.map(briefGroup) });
    };
  }

  function related(near: 'parents' | 'children', far: 'ancestors' | 'descendants'): Route {
    return {
      method: 'GET',
      path: `/group/:name/${near}`,
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const { id } = await groupNamed(parts, params['name']!);
        const set = wants(call, 'traverse') ? far : near;
        const { hits, groups } = await groupsOf(readerOf(call), set, id, undefined, pageOf(call));
        if (type === 'text/plain') return lines(groups.map((group) => [group.name]));
        return render(type, groupListDocument, { hits, group: groups.map(briefGroup) });
      },
    };
  }
}
