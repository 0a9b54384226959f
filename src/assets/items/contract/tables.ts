import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Locks of items: until it expires, only its user changes the item. */
export const itemLock = sqliteTable('item_lock', {
  itemId: text('item_id').primaryKey(),
  userId: text('user_id').notNull(),
  user: text('user').notNull(),
  expiresAt: integer('expires_at').notNull(),
});

/** Deletion locks: prevent the deletion of the entity, and of entities that inherit the lock. */
export const deletionLock = sqliteTable(
  'deletion_lock',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    userId: text('user_id').notNull(),
    user: text('user').notNull(),
    expiresAt: integer('expires_at').notNull(),
    modifiedAt: integer('modified_at').notNull(),
    /** 1: the event for the expiry was sent. */
    told: integer('told').notNull().default(0),
  },
  (table) => [
    index('deletion_lock_entity').on(table.entityType, table.entityId, table.expiresAt),
    index('deletion_lock_serial').on(table.serial),
    index('deletion_lock_end').on(table.expiresAt).where(sql`told = 0`),
  ],
);
