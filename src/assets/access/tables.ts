import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Who may do what with an item, a collection or a library. */
export const accessEntry = sqliteTable(
  'access_entry',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    id: text('id').notNull(),
    /** The number in the id of the entity: lists of one user's entities follow it. */
    entitySerial: integer('entity_serial').notNull(),
    /** NULL: the entry is for a group, or the service itself is the owner. */
    userId: text('user_id'),
    groupId: text('group_id'),
    permission: text('permission').notNull(),
    grantorId: text('grantor_id'),
    priority: integer('priority').notNull(),
    /** The kinds of entities that it speaks for, as JSON. */
    appliesTo: text('applies_to').notNull(),
    /** Left out: all operations. Else METADATA, SHAPE or URI. */
    operation: text('operation'),
    /** Which entities it reaches, as bits: `reach.ts`. */
    reach: integer('reach').notNull().default(43),
    /** Granted by the service or an administrator: it stays on whatever becomes of its grantor. */
    rooted: integer('rooted').notNull().default(1),
    /** The only field, shape tag or type of container that it speaks for. */
    extradata: text('extradata'),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.entityId, table.id] }),
    index('access_entry_user').on(table.userId, table.entityType, table.entitySerial),
    index('access_entry_group').on(table.groupId).where(sql`group_id IS NOT NULL`),
    index('access_entry_closing')
      .on(table.operation, table.userId, table.groupId)
      .where(sql`permission = 'NONE' AND operation IS NOT NULL`),
  ],
);

/**
 * What decides about entities as far as all operations go: kind, owner, own entries, and the collections that pass
 * theirs on. Entities with the same key share a context; triggers keep it.
 */
export const accessContext = sqliteTable('access_context', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  kind: text('kind').notNull(),
  key: text('key').notNull().unique(),
  /** How many entities have it. */
  entities: integer('entities').notNull().default(0),
});

export const accessContextEntry = sqliteTable(
  'access_context_entry',
  {
    /** `u:` and the id of a user, `g:` and the id of a group. */
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

/** Entries for fields and shapes, by context. They open no entity; searches ask which parts they close. */
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
    /** METADATA or SHAPE. */
    operation: text('operation').notNull(),
    /** The only field or shape tag that it speaks for. */
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

/** What a user gives to groups on each item that the user creates. */
export const importAccess = sqliteTable(
  'import_access',
  { userId: text('user_id').notNull(), groupId: text('group_id').notNull(), permission: text('permission').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.groupId] }), index('import_access_group').on(table.groupId)],
);

/** Profiles of entries for new items. */
export const importSettings = sqliteTable(
  'import_settings',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    /** Who made it. NULL: nobody whom the service knows. */
    userId: text('user_id'),
    document: text('document').notNull(),
  },
  (table) => [index('import_settings_serial').on(table.serial)],
);

/** Changes of the entries on every item, as they were asked for. The first one is carried out before the next. */
export const accessBulk = sqliteTable('access_bulk', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  /** The entry that every item gets, as JSON. NULL: every entry goes but that of the owner. */
  entry: text('entry'),
  /** Items with lower numbers are still to come. */
  position: integer('position').notNull(),
  user: text('user').notNull(),
  runAs: text('run_as'),
  requestId: text('request_id'),
});
