import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { fullness } from './counting/criteria-sql.ts';

export const quotaRule = sqliteTable(
  'quota_rule',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    description: text('description'),
    collection: text('collection_id'),
    library: text('library_id'),
    userId: text('user_id'),
    /** The name that the user had, for when it is gone. */
    user: text('user'),
    groupId: text('group_id'),
    group: text('group'),
    storage: text('storage_id'),
    storageGroup: text('storage_group'),
    tag: text('tag'),
    /** The criterion by which it is found. */
    key: text('key').notNull(),
    itemLimit: integer('item_limit'),
    storageLimit: integer('storage_limit'),
    items: integer('items').notNull().default(0),
    bytes: integer('bytes').notNull().default(0),
    marked: integer('marked').notNull().default(1),
    counted: integer('counted').notNull().default(0),
    /** Number of recounts. */
    recounts: integer('recounts').notNull().default(0),
    /** Fullness that was told: 1 that a limit is nearly used, 2 that one is exceeded. */
    warned: integer('warned').notNull().default(0),
    /** 1: a change that would exceed a limit is refused. */
    enforce: integer('enforce').notNull().default(0),
    updateFrequency: integer('update_frequency').notNull(),
    lastUpdate: integer('last_update'),
    /** Time of the next recount. */
    due: integer('due').notNull(),
  },
  (table) => [
    index('quota_rule_serial').on(table.serial),
    index('quota_rule_key').on(table.key),
    index('quota_rule_collection_id').on(table.collection).where(sql`collection_id IS NOT NULL`),
    index('quota_rule_library_id').on(table.library).where(sql`library_id IS NOT NULL`),
    index('quota_rule_user_id').on(table.userId).where(sql`user_id IS NOT NULL`),
    index('quota_rule_tag').on(table.tag).where(sql`tag IS NOT NULL`),
    index('quota_rule_group_id').on(table.groupId).where(sql`group_id IS NOT NULL`),
    index('quota_rule_storage_group').on(table.storageGroup).where(sql`storage_group IS NOT NULL`),
    index('quota_rule_enforced').on(table.id).where(sql`enforce = 1`),
    index('quota_rule_due').on(table.due),
    index('quota_rule_marked').on(table.id).where(sql`marked <> counted`),
    index('quota_rule_crossed')
      .on(table.id)
      .where(sql.raw(`${fullness} <> "warned"`)),
  ],
);

/** Counts of enforced rules before the current commit. Unused after it. */
export const quotaBegan = sqliteTable('quota_began', {
  ruleId: text('rule_id').primaryKey(),
  items: integer('items').notNull(),
  bytes: integer('bytes').notNull(),
});

export const quotaPoint = sqliteTable(
  'quota_point',
  {
    ruleId: text('rule_id').notNull(),
    /** Days since 1970-01-01. */
    day: integer('day').notNull(),
    items: integer('items').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.day] })],
);
