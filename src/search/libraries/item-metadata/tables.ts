import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A job that writes one document into the metadata of all items of a library, and how far it is. */
export const libraryJob = sqliteTable('library_job', {
  jobId: text('job_id').primaryKey(),
  libraryId: text('library_id').notNull(),
  /** What the items get, as JSON. */
  document: text('document').notNull(),
  /** The last item that it has seen. */
  itemSerial: integer('item_serial').notNull(),
  itemId: text('item_id').notNull(),
  written: integer('written').notNull(),
  skipped: integer('skipped').notNull(),
});
