import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Every table, as the newest migration leaves it; `test/store/schema.test.ts` compares the two.
 * Times are milliseconds since the epoch, flags are 0 and 1, names compare byte by byte.
 */

/** Migrations that have run. The primary key is also the lock between instances that start together. */
export const migration = sqliteTable('migration', {
  number: integer('number').primaryKey(),
  name: text('name').notNull(),
  hash: text('hash').notNull(),
  appliedAt: integer('applied_at').notNull(),
});

/** Always empty: inserting into it breaks its check, and so refuses the whole commit. See `guard.ts`. */
export const guard = sqliteTable('guard', { broken: integer('broken').notNull() });

/** The next serial of each entity type. Instances take blocks of it. */
export const serial = sqliteTable('serial', {
  entity: text('entity').primaryKey(),
  next: integer('next').notNull(),
});

/** Totals and revisions that would otherwise be counted on a request path. */
export const counter = sqliteTable('counter', {
  name: text('name').primaryKey(),
  value: integer('value').notNull(),
});

/** Transactions sent to a remote database whose answer may have been lost. See `remote/`. */
export const applied = sqliteTable('applied', { id: text('id').primaryKey(), at: integer('at').notNull() }, (table) => [
  index('applied_at').on(table.at),
]);

/** Everything that happened, in commit order. */
export const event = sqliteTable('event', {
  sequence: integer('sequence').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  entityType: text('entity_type').notNull(),
  entityId: text('entity_id').notNull(),
  payload: text('payload').notNull(),
  user: text('user').notNull(),
  runAs: text('run_as'),
  requestId: text('request_id'),
  at: integer('at').notNull(),
});

/** A user. `version` changes with whatever decides what the account may do; `password_version` with its password. */
export const user = sqliteTable(
  'user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull().unique(),
    realName: text('real_name'),
    password: text('password'),
    passwordVersion: integer('password_version').notNull(),
    enabled: integer('enabled').notNull(),
    version: integer('version').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('user_enabled').on(table.enabled, table.name)],
);

/** Every name that logs somebody in: user names and aliases share one space, so neither can shadow the other. */
export const login = sqliteTable(
  'login',
  {
    name: text('name').primaryKey(),
    userId: text('user_id').notNull(),
    alias: integer('alias').notNull(),
  },
  (table) => [index('login_user').on(table.userId)],
);

/** Key-value metadata of users and groups. A key can have several values. */
export const keyValue = sqliteTable(
  'key_value',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    key: text('key').notNull(),
    position: integer('position').notNull(),
    value: text('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.entityType, table.entityId, table.key, table.position] })],
);

/** A group, or a role: a group of the release that the API neither creates nor deletes. */
export const group = sqliteTable('group', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  description: text('description'),
  role: integer('role').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const groupUser = sqliteTable(
  'group_user',
  { groupId: text('group_id').notNull(), userId: text('user_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.groupId] }),
    index('group_user_group').on(table.groupId, table.userId),
  ],
);

/** Groups inside groups: a child has what its parents have. */
export const groupGroup = sqliteTable(
  'group_group',
  { parentId: text('parent_id').notNull(), childId: text('child_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.childId, table.parentId] }),
    index('group_group_parent').on(table.parentId, table.childId),
  ],
);

/** Metadata fields that the release defines. */
export const metadataField = sqliteTable('metadata_field', {
  name: text('name').primaryKey(),
  type: text('type').notNull(),
  system: integer('system').notNull(),
});
