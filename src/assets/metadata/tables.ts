import { customType, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
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
    /** `gone`: kept for its event alone. */
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    user: text('user').notNull(),
    at: integer('at').notNull(),
    /** The request in short, or that the state tells it: see `merge/stored-request.ts` and `log-text-sql.ts`. */
    delta: text('delta').notNull(),
    /** Newest deletion of a field at the time of writing. */
    epoch: integer('epoch').notNull().default(0),
  },
  (table) => [index('metadata_change_set_owner').on(table.ownerId, table.serial)],
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

/** Global metadata documents, addressed by name. */
export const metadataDocument = sqliteTable('metadata_document', {
  /** Name of the document. */
  id: text('id').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

/**
 * Names of first-level fields and groups of each collection. Items look up here what they inherit, without reading the
 * metadata of every collection above them.
 */
export const collectionField = sqliteTable(
  'collection_field',
  {
    collectionId: text('collection_id').notNull(),
    /** Either `field` or `group`. */
    kind: text('kind').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.kind, table.name] })],
);

/** Names of groups on any level of each entity, for searches over groups. */
export const metadataGroupUse = sqliteTable(
  'metadata_group_use',
  {
    ownerType: text('owner_type').notNull(),
    /** Number in the id of the entity. 0: global metadata. */
    ownerSerial: integer('owner_serial').notNull(),
    ownerId: text('owner_id').notNull(),
    name: text('name').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerType, table.ownerSerial, table.ownerId, table.name] }),
    index('metadata_group_use_owner').on(table.ownerType, table.ownerId),
    index('metadata_group_use_name').on(table.name, table.ownerType, table.ownerSerial),
  ],
);

/**
 * Queue of entities whose inherited values may have changed, for consumers that store them. Triggers and commits of
 * collections add rows.
 */
export const inheritanceChange = sqliteTable(
  'inheritance_change',
  {
    /** Either `item`, or `collection` for all of its members. */
    type: text('type').notNull(),
    id: text('id').notNull(),
    /** Number that differs with each change. */
    run: integer('run').notNull(),
    /** Progress in a collection: type and id of the last member processed. */
    position: text('position').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.id] })],
);

/** Bytes as the driver returns them: the built-in type would make a Buffer, which only Node has. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer> }>({ dataType: () => 'blob' });

/** Content that clients attach to an entity: sequences, timelines, project definitions, datasets. */
export const attachment = wideRows(
  sqliteTable(
    'attachment',
    {
      ownerType: text('owner_type').notNull(),
      ownerId: text('owner_id').notNull(),
      kind: text('kind').notNull(),
      /** Unique per owner and kind: for a sequence, its format. */
      name: text('name').notNull(),
      mediaType: text('media_type').notNull(),
      content: bytes('content').notNull(),
      changedAt: integer('changed_at').notNull(),
    },
    (table) => [primaryKey({ columns: [table.ownerType, table.ownerId, table.kind, table.name] })],
  ),
);

/** Values of bulky metadata, which are neither indexed nor searchable. */
export const bulkyValue = wideRows(
  sqliteTable(
    'bulky_value',
    {
      ownerType: text('owner_type').notNull(),
      ownerId: text('owner_id').notNull(),
      key: text('key').notNull(),
      /** Interval in original notation. */
      start: text('start').notNull(),
      end: text('end').notNull(),
      /** -1: no stream, no channel. */
      stream: integer('stream').notNull(),
      channel: integer('channel').notNull(),
      /** Empty: no track. */
      track: text('track').notNull(),
      /** Interval in seconds. */
      startSeconds: real('start_seconds').notNull(),
      endSeconds: real('end_seconds').notNull(),
      /** JSON: a string, or lists of pairs. */
      value: text('value').notNull(),
    },
    (table) => [
      primaryKey({
        columns: [
          table.ownerType,
          table.ownerId,
          table.key,
          table.start,
          table.end,
          table.stream,
          table.channel,
          table.track,
        ],
      }),
      index('bulky_value_time').on(table.ownerType, table.ownerId, table.key, table.startSeconds),
    ],
  ),
);
