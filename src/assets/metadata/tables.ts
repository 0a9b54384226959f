import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The metadata of one entity as it is now. `doc` is a JSON text, so reading all of it is one look-up by key. Rows are
 * long: with a rowid they fit into their pages.
 */
export const metadataState = sqliteTable(
  'metadata_state',
  {
    /** `item`, `collection`, `document` or `global`. */
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    version: integer('version').notNull(),
    /** The serial of the newest change set that the entity ever had: ids of change sets go up. */
    newest: integer('newest').notNull(),
    changedAt: integer('changed_at').notNull(),
    doc: text('doc').notNull(),
    /** The newest deletion of a field that the writer saw: see `gone`. */
    epoch: integer('epoch').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ownerType, table.ownerId] })],
);

/** The log: what each change set asked for. */
export const metadataChangeSet = sqliteTable(
  'metadata_change_set',
  {
    /** The number in its id. */
    serial: integer('serial').primaryKey(),
    id: text('id').notNull(),
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    user: text('user').notNull(),
    at: integer('at').notNull(),
    /** A wish, as JSON. */
    delta: text('delta').notNull(),
    /** The newest deletion of a field that its writer saw. */
    epoch: integer('epoch').notNull().default(0),
  },
  (table) => [index('metadata_change_set_owner').on(table.ownerType, table.ownerId, table.serial)],
);

/** Deletions of fields that metadata had used, in their order. A name may be defined again, and go again. */
export const metadataGone = sqliteTable(
  'metadata_gone',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
  },
  (table) => [index('metadata_gone_name').on(table.name)],
);

/** Fields of an entity that one user keeps from others for a while. */
export const metadataLock = sqliteTable(
  'metadata_lock',
  {
    id: text('id').primaryKey(),
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    user: text('user').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** Names, as JSON. None: all fields. */
    fields: text('fields').notNull(),
  },
  (table) => [index('metadata_lock_owner').on(table.ownerType, table.ownerId)],
);
