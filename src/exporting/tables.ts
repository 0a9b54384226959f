import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A destination of exports that has a name. */
export const exportLocation = sqliteTable('export_location', {
  name: text('name').primaryKey(),
  /** Its document, as JSON. */
  document: text('document').notNull(),
  /** Names the files. Undefined: they keep the names that they have. */
  script: text('script'),
});

/** A tree that says what files an export makes. */
export const exportTemplate = sqliteTable('export_template', {
  name: text('name').primaryKey(),
  /** How it was sent: `xml` or `json`. */
  form: text('form').notNull(),
  document: text('document').notNull(),
});

/** A file that a job exports. */
export const exportFile = sqliteTable(
  'export_file',
  {
    jobId: text('job_id').notNull(),
    position: integer('position').notNull(),
    itemId: text('item_id').notNull(),
    shapeId: text('shape_id').notNull(),
    fileId: text('file_id').notNull(),
    /** The name that it is to have. */
    wished: text('wished').notNull(),
    /** The name that it has or is about to get: another one where that is taken. */
    name: text('name'),
    /** `waiting`, `described` once its sidecar is there, `exported`, or `missing`. */
    state: text('state').notNull(),
    /** Staged bytes at the destination that are about to get the name. */
    token: text('token'),
    /** What the file holds where a template says it. Such a file comes from no item. */
    content: text('content'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.position] })],
);
