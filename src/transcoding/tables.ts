import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** What the service works with: places of thumbnails, transcoders elsewhere. */
export const resource = sqliteTable(
  'resource',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    type: text('type').notNull(),
    /** What its document says in the element of its type, as JSON. */
    document: text('document').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('resource_type').on(table.type, table.serial)],
);

/** A thumbnail or a poster of a version of an item. */
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
    bytes: blob('bytes', { mode: 'buffer' }).notNull(),
  },
  (table) => [uniqueIndex('picture_place').on(table.itemId, table.kind, table.essenceVersion, table.instant)],
);

/** Runs ahead of each transcoding to the tag. */
export const shapeTagScript = sqliteTable('shape_tag_script', {
  tag: text('tag').primaryKey(),
  script: text('script').notNull(),
});

/** What a job that has not ended makes: a file, and then a shape, for each tag. */
export const transcodeOutput = sqliteTable(
  'transcode_output',
  {
    jobId: text('job_id').notNull(),
    tag: text('tag').notNull(),
    position: integer('position').notNull(),
    /** The shape that it is made from, and the file of it. */
    shapeId: text('shape_id').notNull(),
    sourceId: text('source_id').notNull(),
    /** The preset as it was when the job began, as JSON. */
    preset: text('preset').notNull(),
    fileId: text('file_id'),
    /** 1: the bytes of the file are at their path. */
    written: integer('written').notNull(),
    /** What the transcoder finds odd, a list as JSON. */
    warnings: text('warnings').notNull(),
    newShapeId: text('new_shape_id'),
    /** 1: the media check has filled the shape. */
    checked: integer('checked').notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.tag] })],
);

/** What was measured of the sound of a shape. */
export const sound = sqliteTable('sound', {
  shapeId: text('shape_id').primaryKey(),
  fileId: text('file_id').notNull(),
  measuredAt: integer('measured_at').notNull(),
  seconds: real('seconds').notNull(),
  /** LUFS. Undefined: silence. */
  loudness: real('loudness'),
  /** LU. */
  loudnessRange: real('loudness_range'),
  /** The channels whose loudness that is, a list as JSON. */
  mix: text('mix').notNull(),
});

/** The amplitudes of one channel of it. */
export const soundLevel = sqliteTable(
  'sound_level',
  {
    shapeId: text('shape_id').notNull(),
    stream: integer('stream').notNull(),
    channel: integer('channel').notNull(),
    /** Seconds that one level stands for. */
    bucket: real('bucket').notNull(),
    /** From 0 to 65,535, each as two bytes, the lower one first. */
    levels: blob('levels', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.shapeId, table.stream, table.channel] })],
);
