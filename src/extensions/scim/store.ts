import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../core/store/contract.ts';
import { deleteBy, putInto, rowBy, rowsAmong } from '../../core/store/rows.ts';
import { query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { group, user } from '../../identity/public-reading.ts';
import { scimGroup, scimUser } from './tables.ts';

export const recordOfUser = rowBy(scimUser, 'userId');
export const recordsOfUsers = rowsAmong(scimUser, 'userId', 'ids');
export const putUserRecord = putInto(scimUser, 'userId', 'userId', 'externalId', 'attributes');

const setProvisioned = statement<{ userId: string; provisioned: number }>(
  sql`INSERT INTO ${writes('scim_user')} (user_id, attributes, provisioned)
    VALUES (${value('userId')}, '{}', ${value('provisioned')})
    ON CONFLICT (user_id) DO UPDATE SET provisioned = excluded.provisioned`,
);

/** Whether the next account of the name may log in as the user. */
export const provision = (userId: string, isProvisioned: boolean): Statement =>
  setProvisioned({ userId, provisioned: isProvisioned ? 1 : 0 });

export const recordOfGroup = rowBy(scimGroup, 'groupId');
export const recordsOfGroups = rowsAmong(scimGroup, 'groupId', 'ids');
export const putGroupRecord = putInto(scimGroup, 'groupId');
export const dropGroupRecord = deleteBy(scimGroup, 'groupId');

export type UserRecord = Omit<typeof scimUser.$inferSelect, 'provisioned'>;

const id = { id: sql<string>`` };

/** Ids of the entities with a value, a few of them: an external id is that of one. */
export const usersByExternalId = query(
  sql`SELECT user_id FROM scim_user WHERE external_id = ${value('value')} ORDER BY user_id LIMIT ${value('limit')}`,
  id,
);
export const groupsByExternalId = query(
  sql`SELECT group_id FROM scim_group WHERE external_id = ${value('value')} ORDER BY group_id LIMIT ${value('limit')}`,
  id,
);

/** When they began, and when they last changed, for a page of them. */
export const timesOfUsers = rowsAmong(user, 'id', 'ids', 'id', 'createdAt', 'modifiedAt');
export const timesOfGroups = rowsAmong(group, 'id', 'ids', 'id', 'createdAt', 'modifiedAt');

/** Memberships of some users in some groups. */
export const membersAmong = query(
  sql`SELECT group_id, user_id FROM group_user WHERE user_id IN ${valuesOf('users')} AND group_id IN ${valuesOf('groups')}`,
  { groupId: sql<string>``, userId: sql<string>`` },
);

const afterName = sql`name > ${value('low')} AND name < ${value('high')}`;
const afterTime = sql`(modified_at, id) > (${value('low')}, ${value('lowId')})
  AND (modified_at, id) < (${value('high')}, ${value('highId')})`;

/** Pages of ids in an order, between two keys that are left out. */
const pagesOf = (table: SQL, isListed: SQL) => {
  const page = (between: SQL, order: SQL) =>
    query(
      sql`SELECT id, name, modified_at FROM ${table} WHERE ${isListed} AND ${between} ORDER BY ${order}
        LIMIT ${value('limit')} OFFSET ${value('offset')}`,
      { id: sql<string>``, name: sql<string>``, modifiedAt: sql<number>`` },
    );
  return {
    name: { ascending: page(afterName, sql`name`), descending: page(afterName, sql`name DESC`) },
    modified: {
      ascending: page(afterTime, sql`modified_at, id`),
      descending: page(afterTime, sql`modified_at DESC, id DESC`),
    },
    /** Number of those that changed between two keys. */
    modifiedBetween: query(sql`SELECT COUNT(*) FROM ${table} WHERE ${isListed} AND ${afterTime}`, {
      total: sql<number>``,
    }).first,
  };
};

export const pagesOfUsers = pagesOf(sql`user`, sql`TRUE`);
export const pagesOfGroups = pagesOf(sql`"group"`, sql`role = 0`);
export type Pages = typeof pagesOfUsers;
