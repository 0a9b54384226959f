import { sql } from 'drizzle-orm';
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
    /** Whether the account may act for others, beside the role that it needs for that. */
    runAs: integer('run_as').notNull().default(0),
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

/**
 * Tokens of this service by the digest of their text, which is kept nowhere. They end with the password that was valid
 * then, and with the account: a trigger deletes them when one of the two changes.
 */
export const token = sqliteTable(
  'token',
  {
    digest: text('digest').primaryKey(),
    /** What administrators call it by. */
    id: text('id').notNull().unique(),
    userId: text('user_id').notNull(),
    passwordVersion: integer('password_version').notNull(),
    /** The access key with which it was asked for: it ends with that, too. */
    keyId: text('key_id'),
    /** Who acts for the user by it, and the version of their password then. */
    actorId: text('actor_id'),
    actorVersion: integer('actor_version'),
    lifetime: integer('lifetime').notNull(),
    autoRefresh: integer('auto_refresh').notNull(),
    createdAt: integer('created_at').notNull(),
    refreshedAt: integer('refreshed_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('token_user').on(table.userId, table.id),
    index('token_expiry').on(table.expiresAt),
    index('token_key').on(table.keyId).where(sql`key_id IS NOT NULL`),
    index('token_actor').on(table.actorId).where(sql`actor_id IS NOT NULL`),
  ],
);

/** Access keys. The secret is long and random, so a plain digest of it is as good as a slow one. */
export const accessKey = sqliteTable(
  'access_key',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name'),
    secret: text('secret').notNull(),
    active: integer('active').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('access_key_user').on(table.userId, table.createdAt, table.id)],
);

/** Configuration properties that were set; the others have their defaults. */
export const property = sqliteTable('property', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  changedAt: integer('changed_at').notNull(),
});

/** Configuration documents as JSON. One that was deleted keeps its row, so that revisions never come twice. */
export const configuration = sqliteTable('configuration', {
  name: text('name').primaryKey(),
  document: text('document'),
  revision: integer('revision').notNull(),
});

/** Who did what, as whom, from where, and what came of it. */
export const audit = sqliteTable(
  'audit',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    user: text('user'),
    runAs: text('run_as'),
    method: text('method').notNull(),
    path: text('path').notNull(),
    query: text('query'),
    contentType: text('content_type'),
    contentLength: integer('content_length'),
    status: integer('status').notNull(),
    reason: text('reason'),
    address: text('address'),
    requestId: text('request_id'),
    /** How many like it came at the same time. */
    count: integer('count').notNull(),
  },
  (table) => [
    index('audit_at').on(table.at),
    index('audit_user').on(table.user, table.at),
    index('audit_path').on(table.path, table.at),
  ],
);
