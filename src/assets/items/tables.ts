import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/** Query of a library, in a table of its own: triggers often write the row of the library. */
export const libraryQuery = wideRows(
  sqliteTable('library_query', {
    libraryId: text('library_id').primaryKey(),
    /** JSON of a search document. */
    query: text('query').notNull(),
  }),
);
