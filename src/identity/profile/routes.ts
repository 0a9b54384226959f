import { type Call, sentText } from '../../http/call.ts';
import { textOnly } from '../../http/negotiation.ts';
import { done, plain, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, roleOrSelf, route } from '../../http/route.ts';
import type { Maybe } from '../../lib/maybe.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { onlyOwnAccount } from '../own-account.ts';
import type { IdentityParts } from '../parts.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { changeRealName, giveAlias, takeAlias } from '../users/rules.ts';
import { namesAround, type UserRow } from '../users/store.ts';

/** Single facts about a user. */
export function profileRoutes(parts: IdentityParts): readonly Route[] {
  const { store, limits } = parts;

  return [
    route({
      method: 'GET',
      path: '/user/:name/realname',
      says: 'The real name of a user.',
      answers: 'text',
      access: roleOrSelf('_user_read', 'name'),
      produces: textOnly,
      handle: async (_call, _type, params) => plain((await userNamed(parts, params.name)).realName ?? ''),
    }),
    route({
      method: 'PUT',
      path: '/user/:name/realname',
      says: 'Sets the real name of a user.',
      reads: 'text',
      access: role('_administrator'),
      acting: onlyOwnAccount(store),
      produces: [],
      async handle(call, _type, params) {
        const realName = await sentText(call, limits.bytes);
        return change(call, params, (row) => changeRealName(row, realName));
      },
    }),
    route({
      method: 'PUT',
      path: '/user/:name/alias/:alias',
      says: 'Adds an alias to a user.',
      access: role('_administrator'),
      acting: 'refused',
      produces: [],
      handle: (call, _type, params) =>
        change(call, params, async (row) => giveAlias(row, (await namesAround(store, row)).aliases, params.alias)),
    }),
    route({
      method: 'DELETE',
      path: '/user/:name/alias/:alias',
      says: 'Removes an alias of a user.',
      access: role('_administrator'),
      acting: 'refused',
      produces: [],
      handle: (call, _type, params) =>
        change(call, params, async (row) => takeAlias(row, (await namesAround(store, row)).aliases, params.alias)),
    }),
  ];

  async function change(
    call: Call,
    params: Params<'/:name'>,
    decide: (row: UserRow) => Maybe<CommitPlan>,
  ): Promise<Reply> {
    await changeUser(parts, call, params.name, decide);
    return done;
  }
}
