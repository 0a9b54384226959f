import { boundsFor } from '../../entities/search/bounds.ts';
import { type Call, optionalDocument } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { flag, page, pageOf, type QueryOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { lines } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { LimitedReader } from '../../store/statement.ts';
import { simpleSearchDocument } from '../documents/search.ts';
import { groupListDocument, userListDocument } from '../documents/users-and-groups.ts';
import { listedGroups } from '../groups/documents.ts';
import { groupsWithIds } from '../groups/store.ts';
import type { IdentityParts } from '../parts.ts';
import { readersOf } from '../readers.ts';
import { listedUsers } from '../users/documents.ts';
import { disabled, enabledOf } from '../users/input.ts';
import { usersWithIds } from '../users/store.ts';
import { searchFrom } from './rules.ts';
import { type Searched, searchedGroups, searchedUsers, searchIn } from './store.ts';

const usualPage = 10;

export function searchRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const bounds = boundsFor(store.kind, settings);
  const searching = {
    ignoreCase: flag('Ignores case', false),
    ...page(settings.maxPage, usualPage),
  };

  return [
    route({
      method: 'PUT',
      path: '/user',
      says: 'Searches users.',
      query: { ...searching, disabled },
      reads: ['nothing', simpleSearchDocument],
      answers: [userListDocument, 'text'],
      access: role('_user_read'),
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type) {
        const readers = readersOf(store, call);
        const reader = readers.threads;
        const { hits, ids } = await search(call, reader, searchedUsers, enabledOf(call.query.disabled));
        const users = await listedUsers(readers, inOrder(ids, await usersWithIds(reader, idsOf(ids))), settings);
        if (type !== 'text/plain') return renderList(render, type, userListDocument, { hits, user: users }, 'user');
        return lines(
          users.map(({ userName, realName = '', groupList }) => [
            userName,
            realName,
            ...(groupList?.group ?? []).map((group) => group.groupName),
          ]),
        );
      },
    }),
    route({
      method: 'PUT',
      path: '/group',
      says: 'Searches groups.',
      query: { ...searching, role: flag('Only the groups that are roles, or only the others') },
      reads: ['nothing', simpleSearchDocument],
      answers: [groupListDocument, 'text'],
      access: role('_group_read'),
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type) {
        const readers = readersOf(store, call);
        const reader = readers.threads;
        const { hits, ids } = await search(call, reader, searchedGroups, call.query.role);
        const groups = inOrder(ids, await groupsWithIds(reader, idsOf(ids)));
        if (type === 'text/plain') return lines(groups.map((group) => [group.name]));
        const group = await listedGroups(readers, groups, settings);
        return renderList(render, type, groupListDocument, { hits, group }, 'group');
      },
    }),
  ];

  type Searching = Call<QueryOf<typeof searching>>;

  async function search(call: Searching, reader: LimitedReader, searched: Searched, state: boolean | undefined) {
    const { query } = call;
    const document = await optionalDocument(call, simpleSearchDocument, parts.limits);
    const wanted = searchFrom(document, query.ignoreCase, bounds.pattern);
    return searchIn(reader, searched, wanted, state, bounds, pageOf(query));
  }
}

const idsOf = (ids: readonly string[]) => ({ ids: JSON.stringify(ids) });

function inOrder<T extends { readonly id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => known.get(id) ?? []);
}
