import type { Happening } from '../../core/events/event-kinds.ts';
import { identityEvent } from '../events.ts';

/** Names to bring into a relation, and names to take out of it. */
export interface MembershipChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export const noMembershipChange: MembershipChange = { add: [], remove: [] };

/** Entries of a list are added, or taken out where they say `remove`. */
export function membershipChangeOf<T extends { readonly remove?: boolean | undefined }>(
  entries: readonly T[] | undefined,
  nameOf: (entry: T) => string,
): MembershipChange {
  const list = entries ?? [];
  return {
    add: list.filter((entry) => !entry.remove).map(nameOf),
    remove: list.filter((entry) => entry.remove).map(nameOf),
  };
}

/** Part of a change that is not yet in effect. With `clear`, all unlisted members are removed. */
export function membershipDifference(
  change: MembershipChange,
  current: ReadonlySet<string>,
  clear: boolean,
): MembershipChange {
  const wanted = new Set(change.add);
  const unwanted = clear ? [...current].filter((name) => !wanted.has(name)) : change.remove;
  return {
    add: [...wanted].filter((name) => !current.has(name)),
    remove: [...new Set(unwanted)].filter((name) => current.has(name)),
  };
}

export const changesNothing = (change: MembershipChange): boolean => change.add.length + change.remove.length === 0;

export function membership(
  group: string,
  mode: 'ADD' | 'REMOVE',
  affected: { affectedGroup: string } | { affectedUser: string },
): Happening {
  return identityEvent('group/modify', group, { group, mode, ...affected });
}

/** Events of a user who leaves groups and joins others. */
export const memberships = (user: string, { add, remove }: MembershipChange): Happening[] => [
  ...remove.map((group) => membership(group, 'REMOVE', { affectedUser: user })),
  ...add.map((group) => membership(group, 'ADD', { affectedUser: user })),
];
