import { existing } from '../../core/lib/checks.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import type { EntityKind } from '../../room/entity.ts';
import type { Caller } from '../../security/caller.ts';
import type { IdentityParts } from '../parts.ts';
import { asRead, noSuchUser } from './rules.ts';
import { findUser, type UserRow, userMustExist } from './store.ts';

/** Users as entities. Events call them by name. */
export const userKind = (store: Store): EntityKind<UserRow> => ({
  type: 'user',
  noun: 'User',
  find: (name) => findUser(store, { name }),
  mustExist: userMustExist,
  nameInEvents: ({ name }) => name,
});

/** By name or alias; 404 where there is none. */
export async function userNamed({ store }: Pick<IdentityParts, 'store'>, name: string): Promise<UserRow> {
  return existing(await findUser(store, { name }), noSuchUser, name);
}

/** Users in paths, by name or alias. */
export const userAt = (parts: Pick<IdentityParts, 'store'>): PathEntity<UserRow> => ({
  kind: 'user',
  find: (name) => userNamed(parts, name),
  ahead: (name) => findUser(parts.store, { name }),
});

/** Decides on the user as it is now, and commits unless nothing is to change. */
export async function changeUser(
  parts: IdentityParts,
  call: Caller,
  name: string,
  decide: (row: UserRow) => Maybe<CommitPlan>,
): Promise<UserRow> {
  const { row } = await call.change(async () => {
    const row = await userNamed(parts, name);
    const work = await decide(row);
    return { ...(work.changes.length > 0 ? asRead(row, work) : work), row };
  });
  return row;
}
