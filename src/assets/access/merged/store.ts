import { sql } from 'drizzle-orm';
import { eachOf, query, value } from '../../../core/store/statement.ts';

/** Members of groups, including nested ones, and further users. */
export const usersOf = query(
  sql`WITH RECURSIVE below (id) AS (
      SELECT value FROM ${eachOf('groups')}
      UNION
      SELECT child_id FROM below CROSS JOIN group_group ON parent_id = below.id
    ), reached (id) AS (
      SELECT value FROM ${eachOf('users')}
      UNION
      SELECT user_id FROM below CROSS JOIN group_user ON group_id = below.id
      LIMIT ${value('end')}
    )
    SELECT user.id, user.name FROM reached CROSS JOIN user ON user.id = reached.id ORDER BY user.name`,
  { id: sql<string>``, name: sql<string>`` },
);

export const namesOf = query(
  sql`SELECT 'user', user.id, user.name FROM ${eachOf('users')} AS given CROSS JOIN user ON user.id = given.value
    UNION ALL
    SELECT 'group', "group".id, "group".name FROM ${eachOf('groups')} AS given CROSS JOIN "group" ON "group".id = given.value`,
  { kind: sql<'user' | 'group'>``, id: sql<string>``, name: sql<string>`` },
);

/** Groups with users, and groups above or below these. */
export const groupsWithUsers = query(
  sql`WITH RECURSIVE near (root, id) AS (
      SELECT value, value FROM ${eachOf('groups')}
      UNION
      SELECT root, child_id FROM near CROSS JOIN group_group ON parent_id = near.id
    ), over (root, id) AS (
      SELECT value, value FROM ${eachOf('groups')}
      UNION
      SELECT root, parent_id FROM over CROSS JOIN group_group ON child_id = over.id
    )
    SELECT DISTINCT root FROM (SELECT * FROM near UNION SELECT * FROM over) AS around
      WHERE EXISTS (SELECT 1 FROM group_user WHERE group_id = around.id)`,
  { id: sql<string>`` },
);

/** Groups above each group, with their distance. */
export const groupsAbove = query(
  sql`WITH RECURSIVE above (root, id, distance) AS (
      SELECT value, value, 0 FROM ${eachOf('groups')}
      UNION
      SELECT root, parent_id, distance + 1 FROM above CROSS JOIN group_group ON child_id = above.id WHERE distance < 250
    )
    SELECT root, id, min(distance) FROM above GROUP BY root, id`,
  { root: sql<string>``, id: sql<string>``, distance: sql<number>`` },
);
