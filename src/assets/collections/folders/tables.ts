import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the folder of a collection is called. */
export const collectionFolder = sqliteTable('collection_folder', {
  collectionId: text('collection_id').primaryKey(),
  name: text('name').notNull(),
  /** 1: files of its items lie in that folder. 0: only the name is kept. */
  mapped: integer('mapped').notNull(),
});
