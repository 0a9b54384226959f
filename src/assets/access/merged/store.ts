import { sql } from 'drizzle-orm';
import { closure } from '../../../core/store/closure-sql.ts';
import { eachOf, query, value } from '../../../core/store/statement.ts';
import { groupLinks } from '../../../identity/public-reading.ts';
import { groupsAboveEach } from '../reading-sql.ts';

/** Members of groups, including nested ones, and further users. */
export const usersOf = query(
  sql`WITH RECURSIVE ${closure('below', sql`SELECT value FROM ${eachOf('groups')}`, groupLinks.down)}, reached (id) AS (
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

const start = sql`SELECT value, value FROM ${eachOf('groups')}`;

/** Groups with users, and groups above or below these. */
export const groupsWithUsers = query(
  sql`WITH RECURSIVE ${closure('near', start, groupLinks.down, 'root, id')}, ${closure('over', start, groupLinks.up, 'root, id')}
    SELECT DISTINCT root FROM (SELECT * FROM near UNION SELECT * FROM over) AS around
      WHERE EXISTS (SELECT 1 FROM group_user WHERE group_id = around.id)`,
  { id: sql<string>`` },
);

/** Groups above each group, with their distance. */
export const groupsAbove = query(
  sql`WITH RECURSIVE ${groupsAboveEach(sql`SELECT value, value, 0 FROM ${eachOf('groups')}`)}
    SELECT root, id, min(distance) FROM above GROUP BY root, id`,
  { root: sql<string>``, id: sql<string>``, distance: sql<number>`` },
);
