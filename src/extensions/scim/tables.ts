import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { group, user } from '../../identity/public-reading.ts';

/** Attributes that providers keep of a user, for which users have no field. */
export const scimUser = sqliteTable(
  'scim_user',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => user.id, { onDelete: 'cascade' }),
    externalId: text('external_id'),
    /** JSON of further attributes, such as names and emails. */
    attributes: text('attributes').notNull(),
    /** Whether SCIM made the user, or an administrator opened it: what SCIM wrote later opens no user to an account. */
    provisioned: integer('provisioned').notNull().default(0),
  },
  (table) => [index('scim_user_external').on(table.externalId)],
);

/** External id that providers keep of a group. */
export const scimGroup = sqliteTable(
  'scim_group',
  {
    groupId: text('group_id')
      .primaryKey()
      .references(() => group.id, { onDelete: 'cascade' }),
    externalId: text('external_id').notNull(),
  },
  (table) => [index('scim_group_external').on(table.externalId)],
);
