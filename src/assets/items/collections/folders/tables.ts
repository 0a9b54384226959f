import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Folder name of a collection. */
export const collectionFolder = sqliteTable('collection_folder', {
  collectionId: text('collection_id').primaryKey(),
  name: text('name').notNull(),
  /** 1: files of the items lie in the folder. 0: only the name is stored. */
  mapped: integer('mapped').notNull(),
});
