import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
