import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The fields and groups of the first level that a collection has. Items ask by it what they inherit, without reading
 * the metadata of every collection above them.
 */
export const collectionField = sqliteTable(
  'collection_field',
  {
    collectionId: text('collection_id').notNull(),
    /** `field` or `group`. */
    kind: text('kind').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.kind, table.name] })],
);

/** The groups that an entity has on any level: a search over groups reads no other metadata. */
export const metadataGroupUse = sqliteTable(
  'metadata_group_use',
  {
    ownerType: text('owner_type').notNull(),
    /** The number in the id of the entity. Of global metadata: 0. */
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
 * Entities above or among items whose inherited values may have changed: what keeps them beside the items has to look.
 * Triggers and the commits of collections add them.
 */
export const inheritanceChange = sqliteTable(
  'inheritance_change',
  {
    /** `item`, or `collection` for all that is in it. */
    type: text('type').notNull(),
    id: text('id').notNull(),
    /** Another number with each change. */
    run: integer('run').notNull(),
    /** Of a collection: the member that was looked at last, as type and id. */
    position: text('position').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.id] })],
);
