import { sql } from 'drizzle-orm';
import { deleteBy, putInto, rowBy, rowsAmong } from '../../core/store/rows.ts';
import { query, value } from '../../core/store/statement.ts';
import { user } from '../../identity/public-reading.ts';
import { scimGroup, scimUser } from './tables.ts';

export const recordOfUser = rowBy(scimUser, 'userId');
export const recordsOfUsers = rowsAmong(scimUser, 'userId', 'ids');
export const putUserRecord = putInto(scimUser, 'userId');

export const recordOfGroup = rowBy(scimGroup, 'groupId');
export const recordsOfGroups = rowsAmong(scimGroup, 'groupId', 'ids');
export const putGroupRecord = putInto(scimGroup, 'groupId');
export const dropGroupRecord = deleteBy(scimGroup, 'groupId');

export type UserRecord = typeof scimUser.$inferSelect;

const id = { id: sql<string>`` };

/** Ids of the entities with a value, a few of them: an external id is that of one. */
export const usersByExternalId = query(
  sql`SELECT user_id FROM scim_user WHERE external_id = ${value('value')} ORDER BY user_id LIMIT ${value('limit')}`,
  id,
);
export const usersByFoldedName = query(
  sql`SELECT user_id FROM scim_user WHERE folded = ${value('value')} ORDER BY user_id LIMIT ${value('limit')}`,
  id,
);
export const groupsByExternalId = query(
  sql`SELECT group_id FROM scim_group WHERE external_id = ${value('value')} ORDER BY group_id LIMIT ${value('limit')}`,
  id,
);

/** When users began, for a page of them. */
export const beginningsOf = rowsAmong(user, 'id', 'ids', 'id', 'createdAt');
