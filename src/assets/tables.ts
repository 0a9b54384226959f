import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export * from './definitions/tables.ts';

const entity = {
  id: text('id').primaryKey(),
  /** The number in its id: the order in which they were made. */
  serial: integer('serial').notNull(),
  createdAt: integer('created_at').notNull(),
};

/** What decides about access to it: `access_context`, kept by triggers. */
const context = integer('context');

/** Its metadata, shapes and entries are kept under its id. One that is deleted has no row. */
export const item = sqliteTable('item', { ...entity, context }, (table) => [
  index('item_serial').on(table.serial, table.context),
  index('item_context').on(table.context, table.serial),
]);

export const collection = sqliteTable(
  'collection',
  {
    ...entity,
    /** Changes of its members, and how many they are: counted by triggers. */
    version: integer('version').notNull().default(0),
    members: integer('members').notNull().default(0),
    items: integer('items').notNull().default(0),
    collections: integer('collections').notNull().default(0),
    context,
    /** 1: its times are those of the day, and items show them from their start time code on. */
    absoluteTime: integer('absolute_time').notNull().default(0),
  },
  (table) => [
    index('collection_serial').on(table.serial, table.context),
    index('collection_context').on(table.context, table.serial),
  ],
);
