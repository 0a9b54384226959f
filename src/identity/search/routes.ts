import { readDocument } from '../../http/body.ts';
import { accountOf, type Call } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { booleanParameter, pageParameters } from '../../http/parameter.ts';
import { lines } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import type { Reader } from '../../store/statement.ts';
import { simpleSearchDocument } from '../documents/search.ts';
import { groupListDocument, userListDocument } from '../documents/users-and-groups.ts';
import { listedGroups } from '../groups/documents.ts';
import { groupsWithIds } from '../groups/store.ts';
import type { IdentityParts } from '../parts.ts';
import { listedUsers } from '../users/documents.ts';
import { enabledParameter } from '../users/input.ts';
import { usersWithIds } from '../users/store.ts';
import { boundsFor } from './bounds.ts';
import { searchFrom } from './rules.ts';
import { type Searched, searchedGroups, searchedUsers, searchIn } from './store.ts';

const usualPage = 10;

export function searchRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings, render } = parts;
  const bounds = boundsFor(store.kind, settings);

  return [
    {
      method: 'PUT',
      path: '/user',
      access: role('_user_read'),
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type) {
        const reader = store.reader(accountOf(call));
        const { hits, ids } = await search(call, reader, searchedUsers, enabledParameter(call));
        const users = await listedUsers(reader, inOrder(ids, await usersWithIds(reader, idsOf(ids))), settings);
        if (type !== 'text/plain') return render(type, userListDocument, { hits, user: users });
        return lines(
          users.map(({ userName, realName = '', groupList }) => [
            userName,
            realName,
            ...(groupList?.group ?? []).map((group) => group.groupName),
          ]),
        );
      },
    },
    {
      method: 'PUT',
      path: '/group',
      access: role('_group_read'),
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type) {
        const reader = store.reader(accountOf(call));
        const { hits, ids } = await search(call, reader, searchedGroups, booleanParameter(call.parameters, 'role'));
        const groups = inOrder(ids, await groupsWithIds(reader, idsOf(ids)));
        if (type === 'text/plain') return lines(groups.map((group) => [group.name]));
        return render(type, groupListDocument, { hits, group: await listedGroups(reader, groups, settings) });
      },
    },
  ];

  async function search(call: Call, reader: Reader, searched: Searched, flag: boolean | undefined) {
    const { parameters, request } = call;
    const document = await readDocument(request, simpleSearchDocument, parts.limits);
    const wanted = searchFrom(document, booleanParameter(parameters, 'ignoreCase') ?? false, bounds.pattern);
    const page = pageParameters(parameters, settings.maxPage, usualPage);
    return searchIn(reader, searched, wanted, flag, bounds, page);
  }
}

const idsOf = (ids: readonly string[]) => ({ ids: JSON.stringify(ids) });

function inOrder<T extends { readonly id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => known.get(id) ?? []);
}
