import { sql } from 'drizzle-orm';
import { groupUser } from '../../store/schema.ts';
import { prepareSqlQuery } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

const value = sql.placeholder;

const memberships = prepareSqlQuery(
  sql`SELECT user_id, group_id FROM json_each(${value('users')}) AS given
    JOIN group_user ON user_id = given.value
    WHERE group_id IN (SELECT value FROM json_each(${value('groups')})) LIMIT ${value('limit')}`,
  { user: groupUser.userId, group: groupUser.groupId },
);

/** Which of the given users are in which of the given groups. */
export const membershipsAmong = (store: Store, users: readonly string[], groups: readonly string[], limit: number) =>
  memberships(store, { users: JSON.stringify(users), groups: JSON.stringify(groups), limit });
