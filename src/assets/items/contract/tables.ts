import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const entity = {
  id: text('id').primaryKey(),
  /** Number in the id, in order of creation. */
  serial: integer('serial').notNull(),
  createdAt: integer('created_at').notNull(),
};

/** Id in `access_context`, which decides about access. Triggers maintain it. */
const context = integer('context');

/** Items. Metadata, shapes and entries refer to the id. Deleted items have no row. */
export const item = sqliteTable('item', { ...entity, context }, (table) => [
  index('item_serial').on(table.serial, table.context),
  index('item_context').on(table.context, table.serial),
]);

export const collection = sqliteTable(
  'collection',
  {
    ...entity,
    /** Number of changes of its members; the other counters: number of members. Triggers maintain them. */
    version: integer('version').notNull().default(0),
    members: integer('members').notNull().default(0),
    items: integer('items').notNull().default(0),
    collections: integer('collections').notNull().default(0),
    context,
    /** 1: times are times of day, which items show from their start time code on. */
    absoluteTime: integer('absolute_time').notNull().default(0),
  },
  (table) => [
    index('collection_serial').on(table.serial, table.context),
    index('collection_context').on(table.context, table.serial),
  ],
);

/** Locks of items: until it expires, only its user changes the item. */
export const itemLock = sqliteTable('item_lock', {
  itemId: text('item_id').primaryKey(),
  userId: text('user_id').notNull(),
  user: text('user').notNull(),
  expiresAt: integer('expires_at').notNull(),
});
