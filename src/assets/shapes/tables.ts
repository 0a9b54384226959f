import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Shapes: representations of items. The files are in `file_use`. */
export const shape = sqliteTable(
  'shape',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    itemId: text('item_id').notNull(),
    essenceVersion: integer('essence_version').notNull(),
    /** 1: expects components. */
    placeholder: integer('placeholder').notNull(),
    /** JSON array of media types. */
    mimeTypes: text('mime_types').notNull(),
    uuid: text('uuid'),
    createdAt: integer('created_at').notNull(),
    /** Increments with each change of the shape, its tags or its components. */
    version: integer('version').notNull(),
  },
  (table) => [
    index('shape_item').on(table.itemId, table.essenceVersion, table.serial),
    index('shape_serial').on(table.serial),
  ],
);

export const component = sqliteTable(
  'component',
  {
    id: text('id').primaryKey(),
    shapeId: text('shape_id').notNull(),
    kind: text('kind').notNull(),
    /** Position among components of its kind, from 0. */
    position: integer('position').notNull(),
    /** 1: a placeholder shape waits for the file. */
    expected: integer('expected').notNull(),
    /** JSON of the properties, except id, files and metadata. */
    document: text('document').notNull(),
  },
  (table) => [index('component_shape').on(table.shapeId, table.kind, table.position)],
);

/** Tags of shapes. Item and essence version are copied from the shape, where they never change. */
export const shapeTagged = sqliteTable(
  'shape_tagged',
  {
    shapeId: text('shape_id').notNull(),
    tag: text('tag').notNull(),
    itemId: text('item_id').notNull(),
    essenceVersion: integer('essence_version').notNull(),
    /** Order in which the shape got its tags. */
    position: integer('position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shapeId, table.tag] }),
    index('shape_tagged_tag').on(table.tag, table.shapeId),
    index('shape_tagged_item').on(table.itemId, table.tag),
    uniqueIndex('shape_tagged_original').on(table.itemId, table.essenceVersion).where(sql`tag = 'original'`),
  ],
);

/** Shape tags with the presets that create such shapes. */
export const shapeTag = sqliteTable('shape_tag', {
  name: text('name').primaryKey(),
  /** Original form of the preset: `json` or `xml`. */
  form: text('form').notNull(),
  /** Original text of the preset. */
  document: text('document').notNull(),
});
