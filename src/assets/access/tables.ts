import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Who may do what with an item, a collection or a library. */
export const accessEntry = sqliteTable(
  'access_entry',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    id: text('id').notNull(),
    /** The number in the id of the entity: lists of one user's entities follow it. */
    entitySerial: integer('entity_serial').notNull(),
    /** NULL: the entry is for a group, or the service itself is the owner. */
    userId: text('user_id'),
    groupId: text('group_id'),
    permission: text('permission').notNull(),
    grantorId: text('grantor_id'),
    priority: integer('priority').notNull(),
    /** The kinds of entities that it speaks for, as JSON. */
    appliesTo: text('applies_to').notNull(),
    operation: text('operation'),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.entityId, table.id] }),
    index('access_entry_user').on(table.userId, table.entityType, table.entitySerial),
    index('access_entry_group').on(table.groupId).where(sql`group_id IS NOT NULL`),
  ],
);
