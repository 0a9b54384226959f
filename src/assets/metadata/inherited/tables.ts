import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The fields and groups of the first level that a collection has. Items ask by it what they inherit, without reading
 * the metadata of every collection above them.
 */
export const collectionField = sqliteTable(
  'collection_field',
  {
    collectionId: text('collection_id').notNull(),
    /** `field` or `group`. */
    kind: text('kind').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.kind, table.name] })],
);
