import type { Statement, Work } from '../../store/contract.ts';
import { deleteKeysOf } from '../access-keys/store.ts';
import { changedMeanwhile } from '../attempts.ts';
import { happened } from '../events.ts';
import { memberships } from '../memberships/rules.ts';
import { leaveGroup } from '../memberships/store.ts';
import { checkNotFirst } from '../power.ts';
import { revokeTokensOf } from '../tokens/store.ts';
import { switchUser } from '../users/rules.ts';
import type { UserRow } from '../users/store.ts';
import { removeUser } from './store.ts';

/** What else is a user's and goes with it. Whoever keeps rows that say whose they are has an entry. */
export const forgetters: readonly ((user: UserRow) => readonly Statement[])[] = [
  ({ id }) => [revokeTokensOf({ userId: id })],
  ({ id }) => [deleteKeysOf({ userId: id })],
];

/** Disabled: the name stays taken, and nobody comes in with it. */
export function disableUser(row: UserRow): Work {
  checkNotFirst(row.name, 'stay', 'path');
  return row.enabled === 1 ? switchUser(row, false) : { changes: [], events: [] };
}

export const enableUser = (row: UserRow): Work =>
  row.enabled === 1 ? { changes: [], events: [] } : switchUser(row, true);

/** Gone for good, and the name is free. `groups`: all that the user is in. */
export function deleteUser(row: UserRow, groups: readonly string[], forgotten: readonly Statement[]): Work {
  const { name } = row;
  checkNotFirst(name, 'stay', 'path');
  return {
    changes: [
      ...groups.flatMap((group) => leaveGroup(group, row.id, changedMeanwhile('User', name))),
      ...forgotten,
      ...removeUser(row),
    ],
    events: [...memberships(name, { add: [], remove: groups }), happened('user/delete', name, { user: name })],
  };
}
