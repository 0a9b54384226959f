import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/** Files and components that an import which has not ended is about: no other import takes them. */
export const importClaim = sqliteTable(
  'import_claim',
  {
    /** `file` or `component`. */
    type: text('type').notNull(),
    id: text('id').notNull(),
    jobId: text('job_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.id] }), index('import_claim_job').on(table.jobId)],
);

/** Upload keys: each permits one upload for an import, without credentials. */
export const importUploadKey = sqliteTable(
  'import_upload_key',
  {
    /** Fingerprint of the key, from which the key cannot be restored. */
    hash: text('hash').primaryKey(),
    /** Job that waits for the bytes. */
    jobId: text('job_id').notNull(),
    /** User in whose name the bytes are received. */
    user: text('user').notNull(),
    /** Caller who made it, as JSON: the key ends with its logins. Null for a caller known only to a realm. */
    caller: text('caller'),
    /** Id of the token or session by which the caller came. */
    login: text('login'),
    expires: integer('expires').notNull(),
    /** Target of the file, as JSON. */
    place: text('place').notNull(),
    /** The file once all bytes are there. */
    fileId: text('file_id'),
  },
  (table) => [
    index('import_upload_key_job').on(table.jobId),
    index('import_upload_key_expires').on(table.expires),
    index('import_upload_key_login').on(table.login).where(sql`login IS NOT NULL`),
  ],
);

/** Jobs of uploads, so that a client that has lost an answer gets it again. */
export const importUpload = wideRows(
  sqliteTable('import_upload', {
    fileId: text('file_id').primaryKey(),
    jobId: text('job_id').notNull(),
    document: text('document').notNull(),
  }),
);

/** Sidecars that came as bytes, until their job has read them. */
export const importSidecar = wideRows(
  sqliteTable('import_sidecar', {
    jobId: text('job_id').primaryKey(),
    name: text('name').notNull(),
    text: text('text').notNull(),
  }),
);

/** Files of folders that a command has imported, so that its next run imports the others. They go with their items. */
export const importSource = sqliteTable(
  'import_source',
  {
    /** Fingerprint of the path and of the options of the command. */
    hash: text('hash').primaryKey(),
    /** State of the file when it was imported: bytes, and milliseconds since the epoch. */
    size: integer('size').notNull(),
    modified: integer('modified').notNull(),
    itemId: text('item_id').notNull(),
    jobId: text('job_id').notNull(),
  },
  (table) => [index('import_source_item').on(table.itemId)],
);

/** Closed files of storages with an auto-import rule, until the rule is applied. */
export const autoImportDue = sqliteTable(
  'auto_import_due',
  {
    fileId: text('file_id').primaryKey(),
    due: integer('due').notNull(),
  },
  (table) => [index('auto_import_due_next').on(table.due)],
);
