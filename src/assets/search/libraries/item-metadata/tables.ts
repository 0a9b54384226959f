import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../../../core/store/tables-sql.ts';

/** Progress of a job that writes one document into the metadata of all items of a library. */
export const libraryJob = wideRows(
  sqliteTable('library_job', {
    jobId: text('job_id').primaryKey(),
    libraryId: text('library_id').notNull(),
    /** JSON of the metadata document. */
    document: text('document').notNull(),
    /** Cursor: the last item processed. */
    itemSerial: integer('item_serial').notNull(),
    itemId: text('item_id').notNull(),
    written: integer('written').notNull(),
    skipped: integer('skipped').notNull(),
  }),
);
