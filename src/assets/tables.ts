import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Metadata fields that the release defines. */
export const metadataField = sqliteTable('metadata_field', {
  name: text('name').primaryKey(),
  type: text('type').notNull(),
  system: integer('system').notNull(),
});
