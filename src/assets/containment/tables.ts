import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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

/** Members of collections. Gaps between positions let a member move alone. */
export const collectionMember = sqliteTable(
  'collection_member',
  {
    collectionId: text('collection_id').notNull(),
    memberType: text('member_type').notNull(),
    memberId: text('member_id').notNull(),
    position: integer('position').notNull(),
    /** UUID of the membership, to which its metadata belongs. */
    reference: text('reference').notNull(),
    /** 1: the member inherits the access entries of the collection. 0: the user who added it may not grant them. */
    passes: integer('passes').notNull().default(1),
    /** 1: items inherit metadata of the collection by the member. 0: the user who added it may not write it. */
    inherits: integer('inherits').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.memberType, table.memberId] }),
    index('collection_member_of').on(table.memberType, table.memberId, table.collectionId),
    index('collection_member_order').on(table.collectionId, table.position, table.memberType, table.memberId),
  ],
);

/** Modes for applying a new result of the query of a library. */
export const updateModes = ['MERGE', 'REPLACE', 'TRANSIENT'] as const;
export type UpdateMode = (typeof updateModes)[number];

/** A persistent set of items: named one by one, or found by a query. */
export const library = sqliteTable(
  'library',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    createdAt: integer('created_at').notNull(),
    /** User with whose rights the query runs: its writer. NULL: no user, so the content stays as it is. */
    userId: text('user_id'),
    updateMode: text('update_mode', { enum: updateModes }).notNull(),
    /** Boolean: 0 or 1. */
    autoRefresh: integer('auto_refresh').notNull(),
    /** Seconds between automatic refreshes. */
    updateFrequency: integer('update_frequency'),
    lastUpdate: integer('last_update'),
    /** Due time of the next automatic refresh. */
    due: integer('due'),
    /** Last time that the library was read, changed or searched in, rounded to minutes. */
    usedAt: integer('used_at').notNull(),
    /** Number of changes of its items; `items`: number of items. Triggers maintain both. */
    version: integer('version').notNull().default(0),
    items: integer('items').notNull().default(0),
    /** Id in `access_context`, which decides about access. Triggers maintain it. */
    context: integer('context'),
  },
  (table) => [
    index('library_serial').on(table.serial),
    index('library_context').on(table.context, table.serial),
    index('library_due').on(table.due).where(sql`due IS NOT NULL`),
    index('library_used').on(table.usedAt, table.serial).where(sql`auto_refresh = 0`),
  ],
);

export const libraryItem = sqliteTable(
  'library_item',
  {
    libraryId: text('library_id').notNull(),
    /** Number in the id of the item, for pagination. */
    itemSerial: integer('item_serial').notNull(),
    itemId: text('item_id').notNull(),
    /** Boolean: whether the item gets the access entries of the library, since its adder had ALL on it. */
    passes: integer('passes').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.libraryId, table.itemSerial, table.itemId] }),
    index('library_item_of').on(table.itemId, table.libraryId),
  ],
);

/** Folder name of a collection. */
export const collectionFolder = sqliteTable('collection_folder', {
  collectionId: text('collection_id').primaryKey(),
  name: text('name').notNull(),
  /** 1: files of the items lie in the folder. 0: only the name is stored. */
  mapped: integer('mapped').notNull(),
});
