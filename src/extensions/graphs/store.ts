import { sql } from 'drizzle-orm';
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
export const containersAbove = query(
  sql`WITH RECURSIVE up (type, id, distance) AS (
      SELECT ${value('type')}, ${value('id')}, 0
      UNION
      SELECT 'collection', collection_id, distance + 1 FROM up
        CROSS JOIN collection_member AS over ON member_type = up.type AND member_id = up.id AND passes = 1
        WHERE distance < 250
      UNION
      SELECT 'library', library_id, distance + 1 FROM up
        CROSS JOIN library_item AS over ON up.type = 'item' AND item_id = up.id AND passes = 1
        WHERE distance < 250 LIMIT 5000
    ), below (type, id, distance) AS (SELECT type, id, min(distance) FROM up GROUP BY type, id)
    SELECT type, id, member_type, member_id FROM (
      SELECT distance, 'collection' AS type, collection_id AS id, member_type, member_id FROM below
        CROSS JOIN collection_member AS over ON member_type = below.type AND member_id = below.id AND passes = 1
      UNION ALL
      SELECT distance, 'library', library_id, 'item', item_id FROM below
        CROSS JOIN library_item AS over ON below.type = 'item' AND item_id = below.id AND passes = 1
    ) ORDER BY distance, type, length(id), id LIMIT ${value('limit')}`,
  { type: sql<string>``, id: sql<string>``, memberType: sql<string>``, memberId: sql<string>`` },
);
