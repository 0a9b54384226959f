import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** File names of shapes on storages. */
export const shapeFilename = sqliteTable(
  'shape_filename',
  {
    shapeId: text('shape_id').notNull(),
    storageId: text('storage_id').notNull(),
    filename: text('filename').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shapeId, table.storageId] }),
    uniqueIndex('shape_filename_on').on(table.storageId, table.filename),
  ],
);
