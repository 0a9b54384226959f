import { type Route, role, roleOrSelf, route } from '../http/route.ts';
import { onlyOwnAccount } from './own-account.ts';
import type { IdentityParts } from './parts.ts';
import { changeUser, userAt } from './users/change.ts';
import { changeRealName, giveAlias, takeAlias } from './users/rules.ts';
import { namesAround, type UserRow } from './users/store.ts';

/** Single facts about a user. */
export function profileRoutes(parts: IdentityParts): readonly Route[] {
  const { store } = parts;
  const path = '/user/:name';
  const aliasesOf = async (row: UserRow) => (await namesAround(store, row)).aliases;

  return [
    route({
      method: 'GET',
      path: `${path}/realname`,
      says: 'The real name of a user.',
      entities: { name: userAt(parts) },
      answers: 'text',
      access: roleOrSelf('_user_read', 'name'),
      handle: (_call, { name: { realName } }) => realName ?? '',
    }),
    route({
      method: 'PUT',
      path: `${path}/realname`,
      says: 'Sets the real name of a user.',
      reads: 'text',
      access: role('_administrator'),
      acting: onlyOwnAccount(store),
      async handle(call, { name }) {
        await changeUser(parts, call, name, (row) => changeRealName(row, call.body));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/alias/:alias`,
      says: 'Adds an alias to a user.',
      access: role('_administrator'),
      acting: 'refused',
      async handle(call, { name, alias }) {
        await changeUser(parts, call, name, async (row) => giveAlias(row, await aliasesOf(row), alias));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/alias/:alias`,
      says: 'Removes an alias of a user.',
      access: role('_administrator'),
      acting: 'refused',
      async handle(call, { name, alias }) {
        await changeUser(parts, call, name, async (row) => takeAlias(row, await aliasesOf(row), alias));
      },
    }),
  ];
}
