import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The tables of the store itself, and those that every room may use. Other tables are in the `tables.ts` of their room;
 * `test/core/store/schema.test.ts` compares all of them with the newest migration.
 * Times are milliseconds since the epoch, flags are 0 and 1, names compare byte by byte.
 */

/** Migrations that have run. The primary key is also the lock between instances that start together. */
export const migration = sqliteTable('migration', {
  number: integer('number').primaryKey(),
  name: text('name').notNull(),
  hash: text('hash').notNull(),
  appliedAt: integer('applied_at').notNull(),
});

/** Migrations of the tables of extensions, each with numbers of its own. */
export const extensionMigration = sqliteTable(
  'extension_migration',
  {
    extension: text('extension').notNull(),
    number: integer('number').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    appliedAt: integer('applied_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.extension, table.number] })],
);

/** Always empty: inserting into it breaks its check, and so refuses the whole commit. See `guard.ts`. */
export const guard = sqliteTable('guard', { broken: integer('broken').notNull() }, () => [
  check('guard_broken', sql`broken = 0`),
]);

/** The next serial of each entity type. Instances take blocks of it. */
export const serial = sqliteTable('serial', {
  entity: text('entity').primaryKey(),
  next: integer('next').notNull(),
});

/** Serials below the next one that no instance has. An external id may have their numbers. */
export const serialGap = sqliteTable(
  'serial_gap',
  {
    entity: text('entity').notNull(),
    first: integer('first').notNull(),
    /** The serial behind the last one. */
    ends: integer('ends').notNull(),
    /** Whether an instance gave them back at its end: the next one that needs a block takes them. */
    free: integer('free').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.entity, table.first] }),
    index('serial_gap_free').on(table.entity, table.first).where(sql`free = 1`),
  ],
);

/** Totals and revisions that would otherwise be counted on a request path. */
export const counter = sqliteTable('counter', {
  name: text('name').primaryKey(),
  value: integer('value').notNull(),
});

/** Transactions sent to a remote database whose answer may have been lost. See `remote/`. */
export const applied = sqliteTable('applied', { id: text('id').primaryKey(), at: integer('at').notNull() }, (table) => [
  index('applied_at').on(table.at),
]);

/** All events, in commit order. */
export const event = sqliteTable('event', {
  sequence: integer('sequence').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  entityType: text('entity_type').notNull(),
  entityId: text('entity_id').notNull(),
  /** JSON: an object, or in its place what refers to it. */
  payload: text('payload').notNull(),
  user: text('user').notNull(),
  runAs: text('run_as'),
  requestId: text('request_id'),
  at: integer('at').notNull(),
  /** Length of the chain of deliveries that caused the event. */
  depth: integer('depth').notNull().default(0),
});

/** Condition of the index by which files are found by a hash that is key-value metadata. */
export const isFileHash = `entity_type = 'file' AND key IN ('hash_MD5', 'hash_SHA-256', 'hash_SHA-384', 'hash_SHA-512')`;

/** Key-value metadata of entities of all types. A key can have several values. */
export const keyValue = sqliteTable(
  'key_value',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    key: text('key').notNull(),
    position: integer('position').notNull(),
    value: text('value').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.entityId, table.key, table.position] }),
    // Few fields are facets, and each look for work asks which.
    index('key_value_facet').on(table.key, table.entityId).where(sql`entity_type = 'metadata-field' AND key = 'facet'`),
    index('key_value_hash').on(table.key, table.value, table.entityId).where(sql.raw(isFileHash)),
  ],
);

/** Names that others have for entities, one space for each type. */
export const externalId = sqliteTable(
  'external_id',
  {
    entityType: text('entity_type').notNull(),
    externalId: text('external_id').notNull(),
    entityId: text('entity_id').notNull(),
    /** Namespace, for kinds whose external ids have one. */
    namespace: text('namespace'),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.externalId] }),
    index('external_id_entity').on(table.entityType, table.entityId, table.externalId),
    index('external_id_by_namespace').on(table.namespace).where(sql`namespace IS NOT NULL`),
  ],
);
