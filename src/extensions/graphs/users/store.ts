import { sql } from 'drizzle-orm';
import { groupUser } from '../../../identity/public-reading.ts';
import { query, type Reader } from '../../../store/statement.ts';

const value = sql.placeholder;

const memberships = query(
  sql`SELECT user_id, group_id FROM json_each(${value('users')}) AS given
    JOIN group_user ON user_id = given.value
    WHERE group_id IN (SELECT value FROM json_each(${value('groups')})) LIMIT ${value('limit')}`,
  { user: groupUser.userId, group: groupUser.groupId },
);

/** Memberships of the given users in the given groups. */
export const membershipsAmong = (reader: Reader, users: readonly string[], groups: readonly string[], limit: number) =>
  memberships(reader, { users: JSON.stringify(users), groups: JSON.stringify(groups), limit });
