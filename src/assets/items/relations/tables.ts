import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Relations between items. `type`: D from source to target, U undirected. */
export const itemRelation = sqliteTable(
  'item_relation',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    source: text('source').notNull(),
    target: text('target').notNull(),
    type: text('type').notNull(),
  },
  (table) => [
    index('item_relation_source').on(table.source, table.serial),
    index('item_relation_target').on(table.target, table.serial),
  ],
);
