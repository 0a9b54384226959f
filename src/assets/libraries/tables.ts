import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a library does with a new result of its query. */
export const updateModes = ['MERGE', 'REPLACE', 'TRANSIENT'] as const;
export type UpdateMode = (typeof updateModes)[number];

/** A set of items that somebody keeps: named one by one, or found by a query. */
export const library = sqliteTable(
  'library',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    createdAt: integer('created_at').notNull(),
    /** With whose rights the query runs. NULL: nobody's, so the content stays as it is. */
    userId: text('user_id'),
    updateMode: text('update_mode', { enum: updateModes }).notNull(),
    /** 0 or 1. */
    autoRefresh: integer('auto_refresh').notNull(),
    /** Seconds between two refreshes that nobody asks for. */
    updateFrequency: integer('update_frequency'),
    lastUpdate: integer('last_update'),
    /** When the next refresh is due that nobody asks for. */
    due: integer('due'),
    /** Read, changed or searched in. Kept to the minute. */
    usedAt: integer('used_at').notNull(),
    /** Changes of its items, and how many they are: counted by triggers. */
    version: integer('version').notNull().default(0),
    items: integer('items').notNull().default(0),
    /** What decides about access to it: `access_context`, kept by triggers. */
    context: integer('context'),
  },
  (table) => [
    index('library_serial').on(table.serial),
    index('library_context').on(table.context, table.serial),
    index('library_due').on(table.due).where(sql`due IS NOT NULL`),
    index('library_used').on(table.usedAt, table.serial).where(sql`auto_refresh = 0`),
  ],
);

/** The query of a library, beside it: triggers write the row of a library often. */
export const libraryQuery = sqliteTable('library_query', {
  libraryId: text('library_id').primaryKey(),
  /** A search document, as JSON. */
  query: text('query').notNull(),
});

export const libraryItem = sqliteTable(
  'library_item',
  {
    libraryId: text('library_id').notNull(),
    /** The number in the id of the item: pages follow it. */
    itemSerial: integer('item_serial').notNull(),
    itemId: text('item_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.libraryId, table.itemSerial, table.itemId] }),
    index('library_item_of').on(table.itemId, table.libraryId),
  ],
);
