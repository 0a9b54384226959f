import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/** Resources of the service: storages of thumbnails, external transcoders. */
export const resource = sqliteTable(
  'resource',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    type: text('type').notNull(),
    /** Element of the document for its type, as JSON. */
    document: text('document').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('resource_type').on(table.type, table.serial)],
);

/** Thumbnails and posters of versions of items. */
export const picture = sqliteTable(
  'picture',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    itemId: text('item_id').notNull(),
    essenceVersion: integer('essence_version').notNull(),
    /** `thumbnail` or `poster`. */
    kind: text('kind').notNull(),
    /** Microseconds from the start. */
    instant: integer('instant').notNull(),
    /** The time as it was written. */
    time: text('time').notNull(),
    type: text('type').notNull(),
    /** Names these bytes, and shows them without credentials. */
    key: text('key').notNull(),
    size: integer('size').notNull(),
    createdAt: integer('created_at').notNull(),
    bytes: blob('bytes', { mode: 'buffer' }).$type<Uint8Array<ArrayBuffer>>().notNull(),
  },
  (table) => [uniqueIndex('picture_place').on(table.itemId, table.kind, table.essenceVersion, table.instant)],
);

/** Runs ahead of each transcoding to the tag. */
export const shapeTagScript = sqliteTable('shape_tag_script', {
  tag: text('tag').primaryKey(),
  script: text('script').notNull(),
});

/** Outputs of unfinished jobs: files, and then a shape, for each tag. */
export const transcodeOutput = sqliteTable(
  'transcode_output',
  {
    jobId: text('job_id').notNull(),
    tag: text('tag').notNull(),
    /** Name of a part of a stream. Empty: the file is the whole shape. */
    rendition: text('rendition').notNull(),
    position: integer('position').notNull(),
    /** Source shape and its file. */
    shapeId: text('shape_id').notNull(),
    sourceId: text('source_id').notNull(),
    /** The preset as it was when the job began, as JSON. */
    preset: text('preset').notNull(),
    fileId: text('file_id'),
    /** Index of the segments of a rendition, as JSON. */
    segments: text('segments'),
    /** 1: the bytes of the file are at their path. */
    written: integer('written').notNull(),
    /** Warnings of the transcoder, a list as JSON. */
    warnings: text('warnings').notNull(),
    /** Shape to be made of the file. Its id is drawn before the file is named. */
    newShapeId: text('new_shape_id').notNull(),
    /** 1: the shape is there. */
    made: integer('made').notNull(),
    /** 1: the media check has filled the shape. */
    checked: integer('checked').notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.tag, table.rendition] })],
);

/** Renditions of streams. Each is the component of its kind at its position. */
export const streamRendition = wideRows(
  sqliteTable(
    'stream_rendition',
    {
      shapeId: text('shape_id').notNull(),
      /** Position in the stream, the best first. */
      position: integer('position').notNull(),
      name: text('name').notNull(),
      /** `video` or `audio`. */
      kind: text('kind').notNull(),
      /** Position among the components of its kind. */
      component: integer('component').notNull(),
      /** Index of the segments, as JSON. */
      segments: text('segments').notNull(),
    },
    (table) => [primaryKey({ columns: [table.shapeId, table.position] })],
  ),
);
