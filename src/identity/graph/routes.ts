import { accountOf, type Call } from '../../http/call.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { list, type QueryOf, text } from '../../http/parameters/index.ts';
import { type Reply, typed } from '../../http/reply.ts';
import { type Route, role, roleOrSelf, route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Reader } from '../../store/statement.ts';
import { groupsNamed, listGroups } from '../groups/store.ts';
import type { IdentityParts } from '../parts.ts';
import { edgesAmong, groupsOf } from '../relations/store.ts';
import { userNamed } from '../users/change.ts';
import { listUsers } from '../users/store.ts';
import { dotOf, type Graph } from './documents.ts';
import { membershipsAmong } from './store.ts';

const dot: readonly MediaType[] = ['text/vnd.graphviz', 'text/plain'];

const named = {
  users: list(text('The users to draw; all of them when there is none')),
  groups: list(text('The groups to draw; all of them when there is none')),
};

/** Lines between as many nodes as a page has: beyond that nobody reads the picture. */
const linesPerNode = 10;

/**
 * Users and groups as a graph. This service has no renderer, because none runs on all of its
 * platforms. The addresses of the pictures answer the dot language to callers that accept it.
 */
export function graphRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings } = parts;
  const { maxPage } = settings;

  return [
    route({
      method: 'GET',
      path: '/user/graph',
      says: 'Users, groups and memberships as a graph in the dot language.',
      query: named,
      answers: 'text',
      access: role('_administrator'),
      produces: dot,
      handle: (call, type) => wholeGraph(call, type),
    }),
    route({
      method: 'GET',
      path: '/user/graph/dot',
      says: 'The same graph, at the address that older clients use.',
      query: named,
      answers: 'text',
      access: role('_administrator'),
      produces: dot,
      handle: (call, type) => wholeGraph(call, type),
    }),
    {
      method: 'GET',
      path: '/user/:name/graph',
      says: 'The groups of one user as a graph in the dot language.',
      answers: 'text',
      access: roleOrSelf('_user_read', 'name'),
      produces: dot,
      async handle(call, type, params) {
        const reader = store.reader(accountOf(call));
        const user = await userNamed(parts, params['name']!);
        const page = { offset: 0, limit: maxPage };
        const { hits, groups } = await groupsOf(reader, 'allGroupsOfUser', user.id, undefined, page);
        if (hits > maxPage) throw tooLarge(maxPage);
        return draw(reader, type, [user], groups);
      },
    },
  ];

  /** Those that are named, or all. */
  async function wholeGraph(call: Call<QueryOf<typeof named>>, type: MediaType): Promise<Reply> {
    const { query } = call;
    const reader = store.reader(accountOf(call));
    const page = { offset: 0, limit: maxPage };
    const { hits, users } = await listUsers(reader, { names: query.users, ...page });
    const names = query.groups;
    const found = names
      ? { hits: names.length, groups: await groupsNamed(reader, { names: JSON.stringify(names) }) }
      : await listGroups(reader, page);
    if (hits > maxPage || found.hits > maxPage) throw tooLarge(maxPage);
    return draw(reader, type, users, found.groups);
  }

  async function draw(reader: Reader, type: MediaType, users: Graph['users'], groups: Graph['groups']): Promise<Reply> {
    const most = maxPage * linesPerNode;
    const groupIds = groups.map((group) => group.id);
    const userIds = users.map((user) => user.id);
    const [memberships, edges] = await Promise.all([
      membershipsAmong(reader, userIds, groupIds, most),
      edgesAmong(reader, groupIds, most),
    ]);
    return typed(type, dotOf({ users, groups, memberships, edges }));
  }
}

function tooLarge(limit: number): ServiceError {
  const explanation = `Expected fewer to draw, named by "users" and "groups": there are more than ${limit}`;
  return new ServiceError('bad-parameter', { context: 'parameter', id: 'users', explanation });
}
