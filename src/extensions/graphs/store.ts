import { sql } from 'drizzle-orm';
import { eachOf, query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import { groupUser } from '../../identity/public-reading.ts';

const memberships = query(
  sql`SELECT user_id, group_id FROM ${eachOf('users')} AS given
    JOIN group_user ON user_id = given.value
    WHERE group_id IN ${valuesOf('groups')} LIMIT ${value('limit')}`,
  { user: groupUser.userId, group: groupUser.groupId },
);

/** Memberships of the given users in the given groups. */
export const membershipsAmong = (reader: Reader, users: readonly string[], groups: readonly string[], limit: number) =>
  memberships(reader, { users: JSON.stringify(users), groups: JSON.stringify(groups), limit });

/** Containers that pass their entries on to an entity, the nearest first. */
export const containersAbove = query(
  sql`WITH RECURSIVE up (type, id, distance) AS (
      SELECT ${value('type')}, ${value('id')}, 0
      UNION
      SELECT over.type, over.id, distance + 1 FROM up
        CROSS JOIN access_container AS over ON over.member_type = up.type AND over.member_id = up.id
        WHERE distance < 250 LIMIT 5000
    )
    SELECT DISTINCT over.type, over.id, over.member_type, over.member_id
      FROM (SELECT type, id, min(distance) AS distance FROM up GROUP BY type, id) AS below
      CROSS JOIN access_container AS over ON over.member_type = below.type AND over.member_id = below.id
      ORDER BY below.distance, over.type, length(over.id), over.id LIMIT ${value('limit')}`,
  { type: sql<string>``, id: sql<string>``, memberType: sql<string>``, memberId: sql<string>`` },
);
