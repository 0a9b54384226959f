import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Access entries on items, collections and libraries. */
export const accessEntry = sqliteTable(
  'access_entry',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    id: text('id').notNull(),
    /** Number in the id of the entity, for lists of the entries of a user. */
    entitySerial: integer('entity_serial').notNull(),
    /** NULL: the entry is for a group, or the service itself is the owner. */
    userId: text('user_id'),
    groupId: text('group_id'),
    permission: text('permission').notNull(),
    grantorId: text('grantor_id'),
    priority: integer('priority').notNull(),
    /** JSON array of the kinds of entities that the entry covers. */
    appliesTo: text('applies_to').notNull(),
    /** NULL: all operations. Otherwise METADATA, SHAPE or URI. */
    operation: text('operation'),
    /** Bits of the entities covered: `reach.ts`. */
    reach: integer('reach').notNull().default(43),
    /** Granted by the service or an administrator: stays on whatever happens to the grantor. */
    rooted: integer('rooted').notNull().default(1),
    /** The only field, shape tag or container type that the entry applies to. */
    extradata: text('extradata'),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.entityId, table.id] }),
    index('access_entry_user').on(table.userId, table.entityType, table.entitySerial),
    index('access_entry_group').on(table.groupId).where(sql`group_id IS NOT NULL`),
    index('access_entry_closing')
      .on(table.operation, table.userId, table.groupId)
      .where(sql`permission = 'NONE' AND operation IS NOT NULL`),
    // Few, and asked for with each entity.
    index('access_entry_uri').on(table.entityType, table.entityId).where(sql`operation = 'URI'`),
  ],
);

/**
 * Combination of kind, owner, own entries and inherited entries that decides about all operations. Entities with the
 * same key share a context; triggers maintain it.
 */
export const accessContext = sqliteTable('access_context', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  kind: text('kind').notNull(),
  key: text('key').notNull().unique(),
  /** Number of entities in the context. */
  entities: integer('entities').notNull().default(0),
});

export const accessContextEntry = sqliteTable(
  'access_context_entry',
  {
    /** User: `u:` and the id. Group: `g:` and the id. */
    principal: text('principal').notNull(),
    context: integer('context').notNull(),
    /** -1: the OWNER entry. */
    position: integer('position').notNull(),
    permission: text('permission').notNull(),
    priority: integer('priority').notNull(),
    /** NULL: the entry needs no grantor. */
    grantorId: text('grantor_id'),
    byOwner: integer('by_owner').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.principal, table.context, table.position] }),
    index('access_context_entry_of').on(table.context),
  ],
);

/**
 * Entries for fields and shapes, by context. They give no access to entities; searches check which parts they close.
 */
export const accessContextOperation = sqliteTable(
  'access_context_operation',
  {
    principal: text('principal').notNull(),
    context: integer('context').notNull(),
    position: integer('position').notNull(),
    permission: text('permission').notNull(),
    priority: integer('priority').notNull(),
    grantorId: text('grantor_id'),
    byOwner: integer('by_owner').notNull(),
    /** Either METADATA or SHAPE. */
    operation: text('operation').notNull(),
    /** The only field or shape tag that the entry applies to. */
    extradata: text('extradata'),
  },
  (table) => [
    primaryKey({ columns: [table.principal, table.context, table.position] }),
    index('access_context_operation_of').on(table.context),
  ],
);

export const accessContextParent = sqliteTable(
  'access_context_parent',
  { collectionId: text('collection_id').notNull(), context: integer('context').notNull() },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.context] }),
    index('access_context_parent_of').on(table.context),
  ],
);

/** Grants that a user gives to groups on each item that the user creates. */
export const importAccess = sqliteTable(
  'import_access',
  { userId: text('user_id').notNull(), groupId: text('group_id').notNull(), permission: text('permission').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.groupId] }), index('import_access_group').on(table.groupId)],
);

/** Import profiles: entries for new items. */
export const importSettings = sqliteTable(
  'import_settings',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    /** Creator of the profile. NULL: unknown to the service. */
    userId: text('user_id'),
    document: text('document').notNull(),
  },
  (table) => [index('import_settings_serial').on(table.serial)],
);

/** Requested changes of the entries on every item. They run one after another. */
export const accessBulk = sqliteTable('access_bulk', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  /** The entry that every item gets, as JSON. NULL: all entries except OWNER are deleted. */
  entry: text('entry'),
  /** Progress: items with lower serials are still to be changed. */
  position: integer('position').notNull(),
  user: text('user').notNull(),
  runAs: text('run_as'),
  requestId: text('request_id'),
});
