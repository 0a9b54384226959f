import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { list, type QueryOf, text } from '../../http/parameters/index.ts';
import { type Route, role, roleOrSelf } from '../../http/route.ts';
import { edgesAmong, type IdentityParts, userAt } from '../../identity/public.ts';
import { groupsNamed, groupsOf, listGroups, listUsers } from '../../identity/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import type { Graph } from '../../room/graphs.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import { graphRoutes } from './graph-routes.ts';
import { membershipsAmong } from './store.ts';

interface NamedNode {
  readonly id: string;
  readonly name: string;
}

interface People {
  readonly users: readonly NamedNode[];
  readonly groups: readonly (NamedNode & { readonly role: number })[];
  /** By id, from the member to what it is in. */
  readonly memberships: readonly { readonly user: string; readonly group: string }[];
  readonly edges: readonly { readonly child: string; readonly parent: string }[];
}

// A user and a group may have the same id and the same name.
const userNode = (id: string): string => `user ${id}`;
const groupNode = (id: string): string => `group ${id}`;

/** Each user and group points at what it is in. */
export const graphOf = ({ users, groups, memberships, edges }: People): Graph => ({
  name: 'users',
  way: 'up',
  nodes: [
    ...users.map(({ id, name }) => ({ id: userNode(id), label: name, shape: 'ellipse' as const })),
    ...groups.map(({ id, name, role }) => ({
      id: groupNode(id),
      label: name,
      shape: role === 1 ? ('hexagon' as const) : ('box' as const),
    })),
  ],
  edges: [
    ...memberships.map(({ user, group }) => ({ from: userNode(user), to: groupNode(group) })),
    ...edges.map(({ child, parent }) => ({ from: groupNode(child), to: groupNode(parent) })),
  ],
});

const named = {
  users: list(text('Users in the graph. Default: all')),
  groups: list(text('Groups in the graph. Default: all')),
};

/** Lines per node, so that the picture stays readable. */
const linesPerNode = 10;

/** Users and groups as a graph. */
export function peopleGraphRoutes(
  parts: Pick<IdentityParts, 'store' | 'settings'> & Pick<RoomContext, 'hooks'>,
): readonly Route[] {
  const { store, settings, hooks } = parts;
  const { maxPage } = settings;

  return [
    ...graphRoutes(hooks, {
      path: '/user/graph',
      says: 'A graph of users, groups and memberships,',
      query: named,
      access: role('_administrator'),
      graph: wholeGraph,
    }),
    ...graphRoutes(hooks, {
      path: '/user/:name/graph',
      says: 'A graph of the groups of one user,',
      entities: { name: userAt(parts) },
      access: roleOrSelf('_user_read', 'name'),
      async graph(call, { name: user }) {
        const { reader } = call;
        const page = { offset: 0, limit: maxPage };
        const { hits, groups } = await groupsOf(reader, 'allGroupsOfUser', user.id, undefined, page);
        if (hits > maxPage) throw tooLarge(maxPage);
        return draw(reader, [user], groups);
      },
    }),
  ];

  /** Graph of the named users and groups, or of all. */
  async function wholeGraph(caller: Caller & { readonly query: QueryOf<typeof named> }): Promise<Graph> {
    const { query } = caller;
    const reader = store.reader(accountOf(caller));
    const page = { offset: 0, limit: maxPage };
    const { hits, users } = await listUsers(reader, { names: query.users, ...page });
    const names = query.groups;
    const listed = names
      ? { hits: names.length, groups: await groupsNamed(reader, { names }) }
      : await listGroups(reader, page);
    if (hits > maxPage || listed.hits > maxPage) throw tooLarge(maxPage);
    return draw(reader, users, listed.groups);
  }

  async function draw(reader: Reader, users: People['users'], groups: People['groups']): Promise<Graph> {
    const max = maxPage * linesPerNode;
    const groupIds = groups.map((group) => group.id);
    const userIds = users.map((user) => user.id);
    const [memberships, edges] = await Promise.all([
      membershipsAmong(reader, userIds, groupIds, max),
      edgesAmong(reader, groupIds, max),
    ]);
    return graphOf({ users, groups, memberships, edges });
  }
}

function tooLarge(limit: number): ServiceError {
  const explanation = `Expected fewer to draw, named by "users" and "groups": there are more than ${limit}`;
  return new ServiceError('bad-parameter', { context: 'parameter', id: 'users', explanation });
}
