import { sql } from 'drizzle-orm';
import { containersAbove } from '../../assets/containment/walks-sql.ts';
import { eachOf, query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import { groupUser } from '../../identity/public-reading.ts';

const memberships = query(
  sql`SELECT user_id, group_id FROM ${eachOf('users')} AS given
    CROSS JOIN group_user ON user_id = given.value
    WHERE group_id IN ${valuesOf('groups')} LIMIT ${value('limit')}`,
  { user: groupUser.userId, group: groupUser.groupId },
);

/** Memberships of the given users in the given groups. */
export const membershipsAmong = (reader: Reader, users: readonly string[], groups: readonly string[], limit: number) =>
  memberships(reader, { users: JSON.stringify(users), groups: JSON.stringify(groups), limit });

/** Containers that pass their entries on to an entity, the nearest first. */
export const containersAround = query(
  sql`WITH RECURSIVE
    ${containersAbove(sql`SELECT 0 AS root, ${value('type')} AS type, ${value('id')} AS id`, 5000)}, below (type, id, distance) AS (SELECT type, id, min(distance) FROM up GROUP BY type, id)
    SELECT type, id, member_type, member_id FROM (
      SELECT distance, 'collection' AS type, collection_id AS id, member_type, member_id FROM below
        CROSS JOIN collection_member AS over ON member_type = below.type AND member_id = below.id AND passes = 1
      UNION ALL
      SELECT distance, 'library', library_id, 'item', item_id FROM below
        CROSS JOIN library_item AS over ON below.type = 'item' AND item_id = below.id AND passes = 1
    ) ORDER BY distance, type, length(id), id LIMIT ${value('limit')}`,
  { type: sql<string>``, id: sql<string>``, memberType: sql<string>``, memberId: sql<string>`` },
);
