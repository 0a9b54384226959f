import { sql } from 'drizzle-orm';
import { blob, customType, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The columns of a virtual table have no type. */
const words = customType<{ data: string }>({ dataType: () => '' });

/** What the index knows. The row is narrow: a search looks at it for each hit. */
export const searchEntity = sqliteTable(
  'search_entity',
  {
    id: integer('id').primaryKey(),
    entityId: text('entity_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** 1: some of its metadata is timed. */
    timed: integer('timed').notNull(),
  },
  (table) => [
    index('search_entity_created').on(table.createdAt, table.id),
    index('search_entity_timed').on(table.id).where(sql`timed = 1`),
  ],
);

/** Words, words of single fields, and keys of exact values: of what is not timed (`g`), and of what is (`t`). */
export const searchText = sqliteTable('search_text', {
  gw: words('gw'),
  gp: words('gp'),
  gk: words('gk'),
  tw: words('tw'),
  tp: words('tp'),
  tk: words('tk'),
});

/** Values by field, for ranges, sorting and facets. */
export const searchValue = sqliteTable(
  'search_value',
  {
    field: integer('field').notNull(),
    entity: integer('entity').notNull(),
    val: blob('val').notNull(),
    /** 1: not timed. 2: timed. 3: both. */
    spans: integer('spans').notNull(),
    /** What sorts, where the definition says that capitals do not. */
    folded: text('folded'),
  },
  (table) => [primaryKey({ columns: [table.field, table.entity, table.val] })],
);

/** Fields whose order the index keeps, by name. */
export const searchOrdered = sqliteTable('search_ordered', {
  name: text('name').primaryKey(),
  field: integer('field').notNull(),
  /** `filling`: some entities are missing. `ready`: none is. `leaving`: its rows go. */
  state: text('state').notNull(),
  /** Of a field that is filled: entities from this number on are there. */
  position: integer('position').notNull(),
  /** 0: no entity has ever had two values. */
  several: integer('several').notNull().default(0),
});

/**
 * The smallest and the largest value of each entity in such a field. Read from one end, the places below zero are an order,
 * and from the other end those above it. All places of a value lie together, so that a change of it writes few pages.
 */
export const searchOrder = sqliteTable(
  'search_order',
  {
    /** With a minus: values between the two, which are there for ranges. Few entities have any. */
    field: integer('field').notNull(),
    key: blob('key').notNull(),
    /** The number of the entity. With a minus it has its smallest value: of equal ones, the newest comes first. */
    tie: integer('tie').notNull(),
  },
  (table) => [primaryKey({ columns: [table.field, table.key, table.tie] })],
);

/** Other indexes that are fed, and how far they are. */
export const searchFeed = sqliteTable('search_feed', {
  name: text('name').primaryKey(),
  /** Of the last change that the index has. */
  position: integer('position').notNull(),
  /** Entities below this number, which are older than the feed, are still to come. */
  seeding: integer('seeding').notNull(),
});

/** What other indexes have to read, in the order of commits. Without such an index there is nothing. */
export const searchChange = sqliteTable('search_change', {
  position: integer('position').primaryKey({ autoIncrement: true }),
  entity: integer('entity').notNull(),
});

/** All fields of which an entity may have rows in `search_value`, as JSON: where all go, they are found by this. */
export const searchFields = sqliteTable('search_fields', {
  id: integer('id').primaryKey(),
  /** Rows of older programs have `[field, value]` where others have a field. */
  fields: text('fields').notNull(),
  /** Of older programs. To drop it would write all rows again. */
  version: integer('version').notNull().default(0),
});

/** Every word that the index has seen, for wildcards and suggestions. */
export const searchTerm = sqliteTable('search_term', { word: text('word').primaryKey() });

/** The newest wish to build an index again, and how far it is. */
export const searchReindex = sqliteTable('search_reindex', {
  name: text('name').primaryKey(),
  priority: integer('priority').notNull(),
  status: text('status').notNull(),
  start: integer('start'),
  finish: integer('finish'),
  done: integer('done').notNull(),
  total: integer('total').notNull(),
  /** The number of the entity that was built last: from the newest to the oldest. */
  position: integer('position'),
  /** Another number whenever it starts over. */
  run: integer('run').notNull(),
  /** 0: entities that are older than the index are missing in it. */
  built: integer('built').notNull().default(1),
});

/** What users have searched for: equal documents once. */
export const searchHistory = sqliteTable(
  'search_history',
  {
    user: text('user').notNull(),
    kind: text('kind').notNull(),
    digest: text('digest').notNull(),
    query: text('query').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user, table.kind, table.digest] }),
    index('search_history_newest').on(table.user, table.kind, table.at),
  ],
);

/** Search documents that an address stands for, for a day. */
export const searchSaved = sqliteTable(
  'search_saved',
  { hash: text('hash').primaryKey(), query: text('query').notNull(), expiresAt: integer('expires_at').notNull() },
  (table) => [index('search_saved_end').on(table.expiresAt)],
);
