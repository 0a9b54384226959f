import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Metadata that belongs to a name, and to nothing else. */
export const metadataDocument = sqliteTable('metadata_document', {
  /** The name. */
  id: text('id').primaryKey(),
  createdAt: integer('created_at').notNull(),
});
