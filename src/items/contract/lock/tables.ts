import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Locks of items: until it expires, only its user changes the item. */
export const itemLock = sqliteTable('item_lock', {
  itemId: text('item_id').primaryKey(),
  userId: text('user_id').notNull(),
  user: text('user').notNull(),
  expiresAt: integer('expires_at').notNull(),
});
