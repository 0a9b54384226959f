import type { Call } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { flag, page, pageOf, type QueryOf } from '../../http/parameters/index.ts';
import { lines, plain, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { accountOf } from '../../security/caller.ts';
import { type GroupList, groupListDocument, userListDocument } from '../documents/users-and-groups.ts';
import { groupNamed } from '../groups/change.ts';
import { briefGroup } from '../groups/documents.ts';
import type { IdentityParts } from '../parts.ts';
import { userNamed } from '../users/change.ts';
import { briefUser } from '../users/documents.ts';
import { hierarchyOf } from './documents.ts';
import { belongsTo, edgesAmong, groupsOf, usersOf } from './store.ts';

/** Offset and length of a page. */
type PageQuery = QueryOf<ReturnType<typeof page>>;

const traverse = { traverse: flag('Adds indirect members and groups', false) };

const ofUser = roleOrSelf('_user_read', 'name');

/** Routes for the relations of users and groups. */
export function relationRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const rows = page(settings.maxPage);
  const readerOf = (call: Call) => store.reader(accountOf(call));

  return [
    route({
      method: 'GET',
      path: '/user/:name/groups',
      says: 'The groups that a user is in.',
      query: { allgroups: flag('Adds the groups that the user is in indirectly', false), ...traverse, ...rows },
      answers: groupListDocument,
      access: ofUser,
      produces: documentTypes,
      async handle(call, type, params) {
        const { id } = await userNamed(parts, params.name);
        const all = call.query.allgroups;
        if (call.query.traverse && all) return render(type, groupListDocument, await hierarchy(call, id));
        const set = all ? 'allGroupsOfUser' : 'groupsOfUser';
        const { hits, groups } = await groupsOf(readerOf(call), set, id, false, pageOf(call.query));
        return render(type, groupListDocument, { hits, group: groups.map(briefGroup) });
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name/roles',
      says: 'The roles that a user has, through any group.',
      query: rows,
      answers: groupListDocument,
      access: ofUser,
      produces: documentTypes,
      handle: effective(true),
    }),
    route({
      method: 'GET',
      path: '/user/:name/allgroups',
      says: 'The groups that a user is in, through any group.',
      query: rows,
      answers: groupListDocument,
      access: ofUser,
      produces: documentTypes,
      handle: effective(undefined),
    }),
    route({
      method: 'GET',
      path: '/user/:name/belongstogroup/:group',
      says: 'Whether a user is in a group, through any group.',
      answers: 'text',
      access: ofUser,
      produces: textOnly,
      async handle(_call, _type, params) {
        const { id } = await userNamed(parts, params.name);
        // Nobody belongs to what is not there: a user who asks about itself learns no more of groups than that.
        return plain(String(await belongsTo(store, id, params.group)));
      },
    }),
    related('parents', 'ancestors'),
    related('children', 'descendants'),
    route({
      method: 'GET',
      path: '/group/:name/users',
      says: 'The users of a group.',
      query: { ...traverse, ...rows },
      answers: [userListDocument, 'text'],
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const { id } = await groupNamed(parts, params.name);
        const set = call.query.traverse ? 'membersBelow' : 'members';
        const { hits, users } = await usersOf(readerOf(call), set, id, pageOf(call.query));
        if (type === 'text/plain') return lines(users.map((user) => [user.name, user.realName ?? '']));
        return render(type, userListDocument, { hits, user: users.map(briefUser) });
      },
    }),
  ];

  async function hierarchy(call: Call<PageQuery>, id: string): Promise<GroupList> {
    const whole = { offset: 0, limit: settings.maxPage };
    const reader = readerOf(call);
    const { groups: tops } = await groupsOf(reader, 'groupsOfUser', id, false, pageOf(call.query));
    const { groups } = await groupsOf(reader, 'allGroupsOfUser', id, false, whole);
    const ids = groups.map((group) => group.id);
    return hierarchyOf(tops, groups, await edgesAmong(reader, ids, settings.maxPage));
  }

  function effective(roles: true | undefined) {
    return async (call: Call<PageQuery>, type: MediaType, params: Params<'/:name'>): Promise<Reply> => {
      const { id } = await userNamed(parts, params.name);
      const { hits, groups } = await groupsOf(readerOf(call), 'allGroupsOfUser', id, roles, pageOf(call.query));
      return render(type, groupListDocument, { hits, group: groups.map(briefGroup) });
    };
  }

  function related(near: 'parents' | 'children', far: 'ancestors' | 'descendants'): Route {
    return route({
      method: 'GET',
      path: `/group/:name/${near}`,
      says: `The ${near} of a group.`,
      query: { ...traverse, ...rows },
      answers: [groupListDocument, 'text'],
      access: role('_group_read'),
      produces: documentOrText,
      async handle(call, type, params) {
        const { id } = await groupNamed(parts, params.name);
        const set = call.query.traverse ? far : near;
        const { hits, groups } = await groupsOf(readerOf(call), set, id, undefined, pageOf(call.query));
        if (type === 'text/plain') return lines(groups.map((group) => [group.name]));
        return render(type, groupListDocument, { hits, group: groups.map(briefGroup) });
      },
    });
  }
}
