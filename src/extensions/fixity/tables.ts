import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** States of files that are read again. */
export const fixityStates = ['waiting', 'verified', 'changed', 'missing', 'unhashed'] as const;
export type FixityState = (typeof fixityStates)[number];

/** Storages whose files are read again, one reader for each over all instances. */
export const fixityStorage = sqliteTable('fixity_storage', {
  storageId: text('storage_id').primaryKey(),
  /** Days within which each file is read again. 0: switched off, and work forgets the files. */
  days: integer('days').notNull(),
  bytesPerSecond: integer('bytes_per_second').notNull(),
  /** Serial of the last file that has a row. NULL: all have. */
  cursor: integer('cursor'),
  /** The file that is being read, and how far, as JSON. NULL: none, or a short one. */
  reading: text('reading'),
  leaseUntil: integer('lease_until').notNull(),
  fence: integer('fence').notNull(),
});

/** Files of these storages. Triggers add and remove them. */
export const fixityFile = sqliteTable(
  'fixity_file',
  {
    fileId: text('file_id').primaryKey(),
    storageId: text('storage_id').notNull(),
    serial: integer('serial').notNull(),
    state: text('state').$type<FixityState>().notNull(),
    /** When the file is read again. */
    due: integer('due').notNull(),
    /** End of the last check. NULL: none since the bytes are these. */
    checkedAt: integer('checked_at'),
    /** End of the last check by which the bytes were as they should be. */
    verifiedAt: integer('verified_at'),
    /** Finding of the last check, or why there was none. */
    says: text('says'),
  },
  (table) => [
    index('fixity_file_due').on(table.storageId, table.due),
    index('fixity_file_state').on(table.storageId, table.state, table.serial),
    index('fixity_file_serial').on(table.storageId, table.serial),
  ],
);

/** Files by storage and state, kept by triggers: no request counts rows. */
export const fixityCount = sqliteTable(
  'fixity_count',
  { storageId: text('storage_id').notNull(), state: text('state').notNull(), files: integer('files').notNull() },
  (table) => [primaryKey({ columns: [table.storageId, table.state] })],
);
