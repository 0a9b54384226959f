import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Global metadata documents, addressed by name. */
export const metadataDocument = sqliteTable('metadata_document', {
  /** Name of the document. */
  id: text('id').primaryKey(),
  createdAt: integer('created_at').notNull(),
});
