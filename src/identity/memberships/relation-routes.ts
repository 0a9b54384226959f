import { groupBy } from '../../core/lib/group-by.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { flag, page, pageOf, type QueryOf } from '../../http/parameters/index.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { type GroupList, groupListDocument, type ListedGroup, userListDocument } from '../documents.ts';
import { groupAt } from '../groups/change.ts';
import { briefGroup, type Relative } from '../groups/documents.ts';
import type { IdentityParts } from '../parts.ts';
import { userAt } from '../users/change.ts';
import { briefUser } from '../users/documents.ts';
import { belongsTo, edgesAmong, groupsOf, usersOf } from './store.ts';

interface Node extends Relative {
  readonly id: string;
}

interface Link {
  readonly parent: string;
  readonly child: string;
}

/** A reader of documents has a limit to what may be inside what. */
const maxDepth = 24;

/**
 * Groups with what they are in, and that with what it is in. A repeated group stands without its parents. With its
 * parents each time, a few dozen groups would make a document without end.
 */
export function groupHierarchy(tops: readonly Node[], all: readonly Node[], links: readonly Link[]): GroupList {
  const below = groupBy(links, (link) => link.parent);
  const lines = all.flatMap((parent) => (below.get(parent.id) ?? []).map(({ child }) => ({ parent, child })));
  const above = groupBy(lines, (line) => line.child);
  const shown = new Set<string>();

  function show(node: Node, depth: number): ListedGroup {
    const parents = shown.has(node.id) || depth === maxDepth ? [] : (above.get(node.id) ?? []);
    shown.add(node.id);
    if (parents.length === 0) return briefGroup(node);
    return { ...briefGroup(node), parentGroupList: { group: parents.map(({ parent }) => show(parent, depth + 1)) } };
  }
  return { hits: all.length, group: tops.map((node) => show(node, 0)) };
}

/** Offset and length of a page. */
type PageQuery = QueryOf<ReturnType<typeof page>>;

const traverse = { traverse: flag('Adds indirect members and groups', false) };

const ofUser = roleOrSelf('_user_read', 'name');

/** Routes for the relations of users and groups. */
export function userRelationRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings } = parts;
  const rows = page(settings.maxPage);
  const user = userAt(parts);
  const group = groupAt(parts);
  const readerOf = (call: Call) => call.reader;

  return [
    route({
      method: 'GET',
      path: '/user/:name/groups',
      says: 'The groups that a user is in.',
      entities: { name: user },
      query: { allgroups: flag('Adds the groups that the user is in indirectly', false), ...traverse, ...rows },
      answers: groupListDocument,
      access: ofUser,
      async handle(call, { name: { id } }) {
        const all = call.query.allgroups;
        if (call.query.traverse && all) return hierarchy(call, id);
        return listOf(
          await groupsOf(readerOf(call), all ? 'allGroupsOfUser' : 'groupsOfUser', id, false, pageOf(call.query)),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name/roles',
      says: 'The roles that a user has, through any group.',
      entities: { name: user },
      query: rows,
      answers: groupListDocument,
      access: ofUser,
      handle: (call, { name: { id } }) => effective(call, id, true),
    }),
    route({
      method: 'GET',
      path: '/user/:name/allgroups',
      says: 'The groups that a user is in, through any group.',
      entities: { name: user },
      query: rows,
      answers: groupListDocument,
      access: ofUser,
      handle: (call, { name: { id } }) => effective(call, id, undefined),
    }),
    route({
      method: 'GET',
      path: '/user/:name/belongstogroup/:group',
      says: 'Whether a user is in a group, through any group.',
      entities: { name: user },
      answers: 'text',
      access: ofUser,
      // A missing group has no members, so users who ask about themselves cannot find out which groups exist.
      handle: async (_call, { name: { id }, group }) => String(await belongsTo(store, id, group)),
    }),
    related('parents', 'ancestors'),
    related('children', 'descendants'),
    route({
      method: 'GET',
      path: '/group/:name/users',
      says: 'The users of a group.',
      entities: { name: group },
      query: { ...traverse, ...rows },
      answers: answer(userListDocument, {
        text: ({ user = [] }) => linesOf(user.map(({ userName, realName = '' }) => [userName, realName])),
      }),
      access: role('_group_read'),
      async handle(call, { name: { id } }) {
        const set = call.query.traverse ? 'membersBelow' : 'members';
        const { hits, users } = await usersOf(readerOf(call), set, id, pageOf(call.query));
        return { hits, user: users.map(briefUser) };
      },
    }),
  ];

  async function hierarchy(call: Call<PageQuery>, id: string): Promise<GroupList> {
    const whole = { offset: 0, limit: settings.maxPage };
    const reader = readerOf(call);
    const { groups: tops } = await groupsOf(reader, 'groupsOfUser', id, false, pageOf(call.query));
    const { groups } = await groupsOf(reader, 'allGroupsOfUser', id, false, whole);
    const ids = groups.map((group) => group.id);
    return groupHierarchy(tops, groups, await edgesAmong(reader, ids, settings.maxPage));
  }

  async function effective(call: Call<PageQuery>, id: string, roles: true | undefined): Promise<GroupList> {
    return listOf(await groupsOf(readerOf(call), 'allGroupsOfUser', id, roles, pageOf(call.query)));
  }

  function related(near: 'parents' | 'children', far: 'ancestors' | 'descendants'): Route {
    return route({
      method: 'GET',
      path: `/group/:name/${near}`,
      says: `The ${near} of a group.`,
      entities: { name: group },
      query: { ...traverse, ...rows },
      answers: answer(groupListDocument, {
        text: ({ group = [] }) => linesOf(group.map(({ groupName = '' }) => [groupName])),
      }),
      access: role('_group_read'),
      async handle(call, { name: { id } }) {
        const set = call.query.traverse ? far : near;
        return listOf(await groupsOf(readerOf(call), set, id, undefined, pageOf(call.query)));
      },
    });
  }
}

const listOf = ({ hits, groups }: Awaited<ReturnType<typeof groupsOf>>): GroupList => ({
  hits,
  group: groups.map(briefGroup),
});
