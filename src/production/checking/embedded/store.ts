import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { deleteBy, putInto, rowBy } from '../../../core/store/rows.ts';

/** Mapping of metadata inside files: a single row, or none where the defaults hold. */
export const embeddedMapping = sqliteTable('embedded_mapping', {
  id: text('id').primaryKey(),
  /** Rows of the mapping, as JSON. */
  document: text('document').notNull(),
});

export const findMapping = rowBy(embeddedMapping, 'id', 'document');
export const putMapping = putInto(embeddedMapping, 'id');
export const removeMapping = deleteBy(embeddedMapping, 'id');
