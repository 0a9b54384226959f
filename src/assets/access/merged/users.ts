import { ServiceError } from '../../../core/lib/errors.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { AppliedEntry } from '../precedence.ts';
import { groupsAbove, groupsWithUsers, namesOf, usersOf } from './store.ts';

/** Maximum users of one merged view. */
const most = 1000;

/** Users to whom any of the entries applies. */
export async function usersReached(reader: Reader, entries: readonly AppliedEntry[]) {
  const users = JSON.stringify(entries.flatMap(({ userId }) => userId ?? []));
  const groups = JSON.stringify(entries.flatMap(({ groupId }) => groupId ?? []));
  const rows = await usersOf(reader, { users, groups, end: most + 1 });
  if (rows.length <= most) return rows;
  throw tooManyUsers(`entries speak for more than ${most} users`);
}

export const tooManyUsers = (what: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'parameter',
    id: 'username',
    explanation: `Expected the parameter username: ${what}`,
  });

/** Names of users and groups, which may have equal ids. */
export interface UserNames {
  user(id: string): string | undefined;
  group(id: string): string | undefined;
}

/** Names of groups and grantors in entries. */
export async function namesFor(reader: Reader, entries: readonly AppliedEntry[]): Promise<UserNames> {
  const users = JSON.stringify([...new Set(entries.flatMap(({ grantorId }) => grantorId ?? []))]);
  const groups = JSON.stringify([...new Set(entries.flatMap(({ groupId }) => groupId ?? []))]);
  const names = new Map(
    (await namesOf(reader, { users, groups })).map(({ kind, id, name }) => [`${kind} ${id}`, name]),
  );
  return { user: (id) => names.get(`user ${id}`), group: (id) => names.get(`group ${id}`) };
}

export async function populated(reader: Reader, groups: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await groupsWithUsers(reader, { groups: JSON.stringify(groups) })).map(({ id }) => id));
}

/** Groups with the groups above them, as if each were a user in it alone. */
export async function aboveGroups(
  reader: Reader,
  groups: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const distances = new Map<string, Map<string, number>>(groups.map((id) => [id, new Map()]));
  for (const { root, id, distance } of await groupsAbove(reader, { groups: JSON.stringify(groups) })) {
    distances.get(root)!.set(id, distance);
  }
  return distances;
}
