import { sql } from 'drizzle-orm';
import { ServiceError } from '../../../lib/errors.ts';
import { prepareSqlQuery, type Reader } from '../../../store/statement.ts';
import type { Applied } from '../precedence.ts';

const value = sql.placeholder;

/** Most users of one merged view. */
const most = 1000;

/** The members of groups, also through groups in them, and users beside. */
const usersOf = prepareSqlQuery(
  sql`WITH RECURSIVE below (id) AS (
      SELECT value FROM json_each(${value('groups')})
      UNION
      SELECT child_id FROM below CROSS JOIN group_group ON parent_id = below.id
    ), reached (id) AS (
      SELECT value FROM json_each(${value('users')})
      UNION
      SELECT user_id FROM below CROSS JOIN group_user ON group_id = below.id
      LIMIT ${value('end')}
    )
    SELECT user.id, user.name FROM reached CROSS JOIN user ON user.id = reached.id ORDER BY user.name`,
  { id: sql<string>``, name: sql<string>`` },
);

const namesOf = prepareSqlQuery(
  sql`SELECT 'user', user.id, user.name FROM json_each(${value('users')}) AS given CROSS JOIN user ON user.id = given.value
    UNION ALL
    SELECT 'group', "group".id, "group".name FROM json_each(${value('groups')}) AS given CROSS JOIN "group" ON "group".id = given.value`,
  { kind: sql<'user' | 'group'>``, id: sql<string>``, name: sql<string>`` },
);

/** Groups that have users, or that stand above or below groups that do. */
const groupsWithUsers = prepareSqlQuery(
  sql`WITH RECURSIVE near (root, id) AS (
      SELECT value, value FROM json_each(${value('groups')})
      UNION
      SELECT root, child_id FROM near CROSS JOIN group_group ON parent_id = near.id
    ), over (root, id) AS (
      SELECT value, value FROM json_each(${value('groups')})
      UNION
      SELECT root, parent_id FROM over CROSS JOIN group_group ON child_id = over.id
    )
    SELECT DISTINCT root FROM (SELECT * FROM near UNION SELECT * FROM over) AS around
      WHERE EXISTS (SELECT 1 FROM group_user WHERE group_id = around.id)`,
  { id: sql<string>`` },
);

/** The groups above each of some groups, with the number of groups between. */
const groupsAbove = prepareSqlQuery(
  sql`WITH RECURSIVE above (root, id, distance) AS (
      SELECT value, value, 0 FROM json_each(${value('groups')})
      UNION
      SELECT root, parent_id, distance + 1 FROM above CROSS JOIN group_group ON child_id = above.id WHERE distance < 250
    )
    SELECT root, id, min(distance) FROM above GROUP BY root, id`,
  { root: sql<string>``, id: sql<string>``, distance: sql<number>`` },
);

/** Everybody for whom some of the entries speak. */
export async function usersReached(reader: Reader, entries: readonly Applied[]) {
  const users = JSON.stringify(entries.flatMap(({ userId }) => userId ?? []));
  const groups = JSON.stringify(entries.flatMap(({ groupId }) => groupId ?? []));
  const found = await usersOf(reader, { users, groups, end: most + 1 });
  if (found.length <= most) return found;
  const explanation = `Expected the parameter username: entries speak for more than ${most} users`;
  throw new ServiceError('bad-value', { context: 'parameter', id: 'username', explanation });
}

/** How users and groups are called. A user and a group may have the same id. */
export interface Names {
  user(id: string): string | undefined;
  group(id: string): string | undefined;
}

/** The names of the groups of entries, and of their grantors. */
export async function namesFor(reader: Reader, entries: readonly Applied[]): Promise<Names> {
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

/** Groups as if each were a user in it alone. */
export async function aboveGroups(
  reader: Reader,
  groups: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const found = new Map<string, Map<string, number>>(groups.map((id) => [id, new Map()]));
  for (const { root, id, distance } of await groupsAbove(reader, { groups: JSON.stringify(groups) })) {
    found.get(root)!.set(id, distance);
  }
  return found;
}
