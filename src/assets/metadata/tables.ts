import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/**
 * Current metadata of each entity. `doc` is JSON, so that a single look-up reads everything. Rows are long, and fit
 * their pages better with a rowid.
 */
export const metadataState = wideRows(
  sqliteTable(
    'metadata_state',
    {
      /** Kind of owner: `item`, `collection`, `document` or `global`. */
      ownerType: text('owner_type').notNull(),
      ownerId: text('owner_id').notNull(),
      version: integer('version').notNull(),
      /** Serial of the newest change set that the entity ever had. Ids always increase. */
      newest: integer('newest').notNull(),
      changedAt: integer('changed_at').notNull(),
      doc: text('doc').notNull(),
      /** Newest deletion of a field at the time of writing: see `gone`. */
      epoch: integer('epoch').notNull().default(0),
    },
    (table) => [primaryKey({ columns: [table.ownerType, table.ownerId] })],
  ),
);

export const metadataChangeSet = sqliteTable(
  'metadata_change_set',
  {
    /** Number in the id. */
    serial: integer('serial').primaryKey(),
    id: text('id').notNull(),
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    user: text('user').notNull(),
    at: integer('at').notNull(),
    /** JSON of the wish. */
    delta: text('delta').notNull(),
    /** Newest deletion of a field at the time of writing. */
    epoch: integer('epoch').notNull().default(0),
  },
  (table) => [index('metadata_change_set_owner').on(table.ownerType, table.ownerId, table.serial)],
);

/** Deletions of fields with values, in order. A name may be defined and deleted again. */
export const metadataGone = sqliteTable(
  'metadata_gone',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
  },
  (table) => [index('metadata_gone_name').on(table.name)],
);

/** Locks of users on fields of an entity. */
export const metadataLock = sqliteTable(
  'metadata_lock',
  {
    id: text('id').primaryKey(),
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    user: text('user').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** JSON array of names. Empty: all fields. */
    fields: text('fields').notNull(),
  },
  (table) => [index('metadata_lock_owner').on(table.ownerType, table.ownerId)],
);
