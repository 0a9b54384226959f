import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Tree of elements that defines the files of an export. */
export const exportTemplate = sqliteTable('export_template', {
  name: text('name').primaryKey(),
  /** Format of the document: `xml` or `json`. */
  form: text('form').notNull(),
  document: text('document').notNull(),
});
