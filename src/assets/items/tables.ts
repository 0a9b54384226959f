import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** While it lives, nobody else changes the item. */
export const itemLock = sqliteTable('item_lock', {
  itemId: text('item_id').primaryKey(),
  userId: text('user_id').notNull(),
  user: text('user').notNull(),
  expiresAt: integer('expires_at').notNull(),
});
