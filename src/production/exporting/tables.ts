import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A destination of exports that has a name. */
export const exportLocation = sqliteTable('export_location', {
  name: text('name').primaryKey(),
  /** Export location as a JSON document. */
  document: text('document').notNull(),
  /** Script that names the files. Undefined: files keep their names. */
  script: text('script'),
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
    /** `waiting`, `begun` with the first of two sidecars, `described` with all, `exported`, `missing`, or `packed`. */
    state: text('state').notNull(),
    /** Token of staged bytes at the destination that are about to get the name. */
    token: text('token'),
    /** Bytes and SHA-256 of what a bag has under the name. */
    size: integer('size'),
    sha256: text('sha256'),
    /** Content from a template. Such a file belongs to no item. */
    content: text('content'),
    /** NULL: the bytes are exported as they are. `gz`: compressed. `of:KEY`: an archive. `in:KEY`: a file in it. */
    pack: text('pack'),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.position] }),
    index('export_file_pack').on(table.jobId, table.pack, table.position).where(sql`pack IS NOT NULL`),
  ],
);

/** An archive that a user may fetch once, by a secret address. */
export const archiveOrder = sqliteTable(
  'archive_order',
  {
    id: text('id').primaryKey(),
    /** Id of the user whose rights count. */
    userId: text('user_id').notNull(),
    /** The user at the request, as JSON: the address ends with the login. */
    caller: text('caller').notNull(),
    /** Id of the token or session by which the user came. */
    login: text('login'),
    /** Digest of the secret in the address. */
    digest: text('digest').notNull(),
    /** Title, ids of items and tags of shapes, as JSON. */
    document: text('document').notNull(),
    /** Version of the archive, once it was begun. Who knows it may go on. NULL: nobody has begun. */
    version: text('version'),
    /** When the address ends. */
    ends: integer('ends').notNull(),
  },
  (table) => [
    index('archive_order_user').on(table.userId, table.ends),
    index('archive_order_ends').on(table.ends),
    index('archive_order_login').on(table.login).where(sql`login IS NOT NULL`),
  ],
);
