import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { happened } from '../events.ts';
import { memberships } from '../memberships/rules.ts';
import { leaveGroup } from '../memberships/store.ts';
import { checkNotFirst } from '../power.ts';
import { switchUser } from '../users/rules.ts';
import { removeUser, type UserRow } from '../users/store.ts';

/** Disables the user: the name stays reserved, and every login is refused. */
export function disableUser(row: UserRow): CommitPlan {
  checkNotFirst(row.name, 'stay', 'path');
  return row.enabled === 1 ? switchUser(row, false) : changing();
}

export const enableUser = (row: UserRow): CommitPlan => (row.enabled === 1 ? changing() : switchUser(row, true));

/** Gone for good, and the name is free. `groups`: all that the user is in. `forgotten`: what rooms keep of it. */
export function deleteUser(row: UserRow, groups: readonly string[], forgotten: readonly Statement[]): CommitPlan {
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
