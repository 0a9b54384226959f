import type { Value } from '../../core/documents/index.ts';
import type { LimitedReader } from '../../core/store/statement.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { flag, page, pageOf, type QueryOf } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { boundsFor } from '../../room/entities/search-sql.ts';
import { groupListDocument, simpleSearchDocument, userListDocument } from '../documents.ts';
import { briefGroup, listedGroups } from '../groups/documents.ts';
import { groupsWithIds } from '../groups/store.ts';
import { type IdentityParts, readersOf } from '../parts.ts';
import { listedUsers } from '../users/documents.ts';
import { disabled, enabledOf } from '../users/input.ts';
import { usersWithIds } from '../users/store.ts';
import { userSearchFrom } from './rules.ts';
import { type Searched, searchedGroups, searchedUsers, searchIn } from './store.ts';

const defaultPage = 10;

export function userSearchRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings } = parts;
  const bounds = boundsFor(store.kind, settings);
  const searching = {
    ignoreCase: flag('Ignores case', false),
    ...page(settings.maxPage, defaultPage),
  };

  return [
    route({
      method: 'PUT',
      path: '/user',
      says: 'Searches users.',
      query: { ...searching, disabled },
      reads: optional(simpleSearchDocument),
      answers: answer(userListDocument, {
        list: 'user',
        text: ({ user = [] }) =>
          linesOf(
            user.map(({ userName, realName = '', groupList }) => [
              userName,
              realName,
              ...(groupList?.group ?? []).map(({ groupName = '' }) => groupName),
            ]),
          ),
      }),
      access: role('_user_read'),
      acting: 'allowed',
      async handle(call) {
        const readers = readersOf(store, call);
        const reader = readers.threads;
        const { hits, ids } = await search(call, reader, searchedUsers, enabledOf(call.query.disabled));
        const users = inOrder(ids, await usersWithIds(reader, idsOf(ids)));
        return { hits, user: await listedUsers(readers, users, settings) };
      },
    }),
    route({
      method: 'PUT',
      path: '/group',
      says: 'Searches groups.',
      query: { ...searching, role: flag('Only the groups that are roles, or only the others') },
      reads: optional(simpleSearchDocument),
      answers: answer(groupListDocument, {
        list: 'group',
        text: ({ group = [] }) => linesOf(group.map(({ groupName = '' }) => [groupName])),
      }),
      access: role('_group_read'),
      acting: 'allowed',
      async handle(call) {
        const readers = readersOf(store, call);
        const reader = readers.threads;
        const { hits, ids } = await search(call, reader, searchedGroups, call.query.role);
        const groups = inOrder(ids, await groupsWithIds(reader, idsOf(ids)));
        if (call.type === 'text/plain') return { group: groups.map(briefGroup) };
        return { hits, group: await listedGroups(readers, groups, settings) };
      },
    }),
  ];

  type Searching = Call<QueryOf<typeof searching>, Value<typeof simpleSearchDocument> | undefined>;

  async function search(call: Searching, reader: LimitedReader, searched: Searched, state: boolean | undefined) {
    const { query, body } = call;
    const wanted = userSearchFrom(body, query.ignoreCase, bounds.pattern);
    return searchIn(reader, searched, wanted, state, bounds, pageOf(query));
  }
}

const idsOf = (ids: readonly string[]) => ({ ids });

function inOrder<T extends { readonly id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
