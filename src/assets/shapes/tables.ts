import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** A form of an item. Its files are rows of `file_use`. */
export const shape = sqliteTable(
  'shape',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    itemId: text('item_id').notNull(),
    essenceVersion: integer('essence_version').notNull(),
    /** 1 while it expects components. */
    placeholder: integer('placeholder').notNull(),
    /** A list, as JSON. */
    mimeTypes: text('mime_types').notNull(),
    uuid: text('uuid'),
    createdAt: integer('created_at').notNull(),
    /** Another number whenever the shape, its tags or its components change. */
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
    /** Among those of its kind, from 0. */
    position: integer('position').notNull(),
    /** 1 while a placeholder shape waits for its file. */
    expected: integer('expected').notNull(),
    /** The properties of its document but id, files and metadata, as JSON. */
    document: text('document').notNull(),
  },
  (table) => [index('component_shape').on(table.shapeId, table.kind, table.position)],
);

/** The tags of shapes. Item and essence version are those of the shape, which never change. */
export const shapeTagged = sqliteTable(
  'shape_tagged',
  {
    shapeId: text('shape_id').notNull(),
    tag: text('tag').notNull(),
    itemId: text('item_id').notNull(),
    essenceVersion: integer('essence_version').notNull(),
    /** Tags are told in the order in which the shape got them. */
    position: integer('position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shapeId, table.tag] }),
    index('shape_tagged_tag').on(table.tag, table.shapeId),
    index('shape_tagged_item').on(table.itemId, table.tag),
    uniqueIndex('shape_tagged_original').on(table.itemId, table.essenceVersion).where(sql`tag = 'original'`),
  ],
);

/** A name for shapes, with the preset that makes them. */
export const shapeTag = sqliteTable('shape_tag', {
  name: text('name').primaryKey(),
  /** `json` or `xml`: how the preset was sent. */
  form: text('form').notNull(),
  /** The preset, exactly as it was sent. */
  document: text('document').notNull(),
});
