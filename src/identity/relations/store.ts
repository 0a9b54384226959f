import { type SQL, sql } from 'drizzle-orm';
import { eachOf, query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import type { Page } from '../../http/parameters/index.ts';
import { climb, foundGroups } from '../groups/store.ts';
import { group, user } from '../tables.ts';

/** Sets of groups and users that follow from memberships, page by page. */

const id = value('id');

const page = sql`LIMIT ${value('limit')} OFFSET ${value('offset')}`;
const count = { hits: sql<number>`` };

const groupsIn = (found: SQL) => {
  const from = sql`FROM ${foundGroups} WHERE role >= ${value('least')} AND role <= ${value('most')}`;
  return {
    hits: query(sql`${found} SELECT COUNT(*) ${from}`, count),
    page: query(sql`${found} SELECT id, name, role ${from} ORDER BY name ${page}`, {
      id: group.id,
      name: group.name,
      role: group.role,
    }),
  };
};

const usersIn = (found: SQL) => {
  const from = sql`FROM user WHERE id IN (SELECT user_id FROM group_user JOIN found ON group_id = found.id)`;
  return {
    hits: query(sql`${found} SELECT COUNT(*) ${from}`, count),
    page: query(sql`${found} SELECT id, name, real_name, enabled ${from} ORDER BY name ${page}`, {
      id: user.id,
      name: user.name,
      realName: user.realName,
      enabled: user.enabled,
    }),
  };
};

const only = (start: SQL): SQL => sql`WITH found (id) AS (${start})`;
const descend = (start: SQL): SQL => sql`WITH RECURSIVE found (id) AS (
    ${start}
    UNION
    SELECT child_id FROM group_group JOIN found ON parent_id = found.id
  )`;

const direct = sql`SELECT group_id FROM group_user WHERE user_id = ${id}`;
const above = sql`SELECT parent_id FROM group_group WHERE child_id = ${id}`;
const below = sql`SELECT child_id FROM group_group WHERE parent_id = ${id}`;

/** By the id of the user or group that they are about. */
const sets = {
  groupsOfUser: groupsIn(only(direct)),
  allGroupsOfUser: groupsIn(climb(direct)),
  parents: groupsIn(only(above)),
  ancestors: groupsIn(climb(above)),
  children: groupsIn(only(below)),
  descendants: groupsIn(descend(below)),
};
const members = {
  members: usersIn(only(sql`SELECT ${id}`)),
  membersBelow: usersIn(descend(sql`SELECT ${id}`)),
};

/** Groups, roles, or both when `role` is undefined. */
export async function groupsOf(
  reader: Reader,
  set: keyof typeof sets,
  of: string,
  role: boolean | undefined,
  part: Page,
) {
  const filter = { id: of, least: role === true ? 1 : 0, most: role === false ? 0 : 1 };
  const [counted, groups] = await Promise.all([
    sets[set].hits(reader, filter),
    sets[set].page(reader, { ...filter, ...part }),
  ]);
  return { hits: counted[0]?.hits ?? 0, groups };
}

export async function usersOf(reader: Reader, set: keyof typeof members, of: string, part: Page) {
  const [counted, users] = await Promise.all([
    members[set].hits(reader, { id: of }),
    members[set].page(reader, { id: of, ...part }),
  ]);
  return { hits: counted[0]?.hits ?? 0, users };
}

const edges = query(
  sql`SELECT parent_id, child_id FROM ${eachOf('ids')} AS given
    JOIN group_group ON child_id = given.value
    WHERE parent_id IN ${valuesOf('ids')} LIMIT ${value('limit')}`,
  { parent: group.id, child: group.id },
);

/** Memberships among the given groups. */
export const edgesAmong = (reader: Reader, ids: readonly string[], limit: number) => edges(reader, { ids, limit });

const inside = query(sql`${climb(direct)} SELECT COUNT(*) FROM ${foundGroups} WHERE name = ${value('group')}`, count);

/** Whether a user is in a group, directly or through others. */
export async function belongsTo(store: Store, userId: string, groupName: string): Promise<boolean> {
  return ((await inside(store, { id: userId, group: groupName }))[0]?.hits ?? 0) > 0;
}
