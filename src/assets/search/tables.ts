import { sql } from 'drizzle-orm';
import { blob, customType, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { textIndex } from '../../core/store/tables-sql.ts';

/** Untyped column, as virtual tables need. */
const words = customType<{ data: string }>({ dataType: () => '' });

/** Indexed entities. Narrow rows, since a search reads one per hit. */
export const searchEntity = sqliteTable(
  'search_entity',
  {
    id: integer('id').primaryKey(),
    entityId: text('entity_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** 1: some of the metadata is timed. */
    timed: integer('timed').notNull(),
  },
  (table) => [
    index('search_entity_created').on(table.createdAt, table.id),
    index('search_entity_timed').on(table.id).where(sql`timed = 1`),
  ],
);

/**
 * Text index: words, words of single fields, and keys of exact values. Columns: `g` for untimed data, `t` for timed. The
 * first column takes the fewest bytes for a word.
 */
export const searchText = textIndex(
  sqliteTable('search_text', {
    gp: words('gp'),
    gw: words('gw'),
    gk: words('gk'),
    tw: words('tw'),
    tp: words('tp'),
    tk: words('tk'),
  }),
  `content='', contentless_delete=1, tokenize="ascii tokenchars '_'"`,
);

/** Values by field, for ranges, sorting and facets. */
export const searchValue = sqliteTable(
  'search_value',
  {
    field: integer('field').notNull(),
    entity: integer('entity').notNull(),
    val: blob('val').notNull(),
    /** 1: untimed. 2: timed. 3: both. */
    spans: integer('spans').notNull(),
    /** Sort key of the value, in fields that ignore case. */
    folded: text('folded'),
  },
  (table) => [primaryKey({ columns: [table.field, table.entity, table.val] })],
);

/** Fields that the index keeps in order, by name. */
export const searchOrdered = sqliteTable('search_ordered', {
  name: text('name').primaryKey(),
  field: integer('field').notNull(),
  /** `filling`: some entities are missing. `ready`: complete. `leaving`: rows are being deleted. */
  state: text('state').notNull(),
  /** Progress while filling: entities from this number on are done. */
  position: integer('position').notNull(),
  /** 0: every entity has had at most one value. */
  several: integer('several').notNull().default(0),
});

/**
 * Minimum and maximum of each entity in ordered fields. Negative ties are for reading from one end, positive ones from
 * the other. All places of a value are adjacent, so that a change writes few pages.
 */
export const searchOrder = sqliteTable(
  'search_order',
  {
    /** Negative: values between minimum and maximum, for ranges. Few entities have any. */
    field: integer('field').notNull(),
    key: blob('key').notNull(),
    /** Number of the entity; negative for its minimum. Among equal values, the newest comes first. */
    tie: integer('tie').notNull(),
  },
  (table) => [primaryKey({ columns: [table.field, table.key, table.tie] })],
);

/** Fields whose values the index counts, by name. */
export const searchCounted = sqliteTable('search_counted', {
  name: text('name').primaryKey(),
  field: integer('field').notNull(),
  /** `filling`: some entities are missing. `ready`: complete. `leaving`: rows are being deleted. */
  state: text('state').notNull(),
  /** Progress while filling: entities from this number on are counted. */
  position: integer('position').notNull(),
});

/**
 * Number of entities by value, so that facets over everything read no entities. Commits that change values or contexts
 * change them.
 */
export const searchCount = sqliteTable(
  'search_count',
  {
    /** Number of the field for items; negative for collections. */
    field: integer('field').notNull(),
    /** Access context of the entities. 0: all entities. */
    context: integer('context').notNull(),
    val: blob('val').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.field, table.context, table.val] }),
    index('search_count_none').on(table.n).where(sql`n = 0`),
  ],
);

/** External engines and their progress. */
export const searchFeed = sqliteTable('search_feed', {
  name: text('name').primaryKey(),
  /** Position of the last change that searches of the engine see. */
  position: integer('position').notNull(),
  /** Milliseconds at which no change waited for the engine. */
  caughtAt: integer('caught_at').notNull().default(0),
  /** While a second index is built: entities below this number are still to be sent. */
  seeding: integer('seeding').notNull(),
  isBuilding: integer('is_building').notNull().default(0),
  /** 0: the engine has no index that is complete. */
  isReady: integer('is_ready').notNull().default(0),
  /** Newest position before the last commit that may change many entities. */
  mark: integer('mark').notNull().default(0),
  /** Instance that feeds the engine, and until when. */
  leaseOwner: text('lease_owner'),
  leaseUntil: integer('lease_until').notNull().default(0),
});

/** Position up to which an engine must be to have the last commit of a user. Empty without an engine. */
export const searchWriter = sqliteTable('search_writer', {
  user: text('user').primaryKey(),
  position: integer('position').notNull(),
  /** Milliseconds of that commit. */
  at: integer('at').notNull().default(0),
});

/** Queue of changes for an external engine, in order of commits. Empty without one. */
export const searchChange = sqliteTable('search_change', {
  position: integer('position').primaryKey({ autoIncrement: true }),
  entity: integer('entity').notNull(),
});

/** Changes of commits that change many entities, with their old positions. They join the queue while it is short. */
export const searchBulk = sqliteTable(
  'search_bulk',
  {
    position: integer('position').primaryKey(),
    entity: integer('entity').notNull(),
    user: text('user').notNull(),
  },
  (table) => [index('search_bulk_user').on(table.user)],
);

/** Short numbers of fields, for the lists of `search_fields`. */
export const searchField = sqliteTable('search_field', {
  id: integer('id').primaryKey(),
  field: integer('field').notNull().unique(),
});

/** JSON array of all fields with rows in `search_value`, by their ids, for deleting an entity. */
export const searchFields = sqliteTable('search_fields', {
  id: integer('id').primaryKey(),
  fields: text('fields').notNull(),
});

/** Dictionary of all indexed words, for wildcards and suggestions. */
export const searchTerm = sqliteTable('search_term', { word: text('word').primaryKey() });

/** Latest rebuild of each index, with its progress. */
export const searchReindex = sqliteTable('search_reindex', {
  name: text('name').primaryKey(),
  priority: integer('priority').notNull(),
  status: text('status').notNull(),
  start: integer('start'),
  finish: integer('finish'),
  done: integer('done').notNull(),
  total: integer('total').notNull(),
  /** Cursor: number of the last entity built, from newest to oldest. */
  position: integer('position'),
  /** Increments with each restart. */
  run: integer('run').notNull(),
  /** 0: older entities are missing in the index. */
  built: integer('built').notNull().default(1),
});

/** Search history of users, without duplicates. */
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

/** Search documents with an address, kept for a day. */
export const searchSaved = sqliteTable(
  'search_saved',
  { hash: text('hash').primaryKey(), query: text('query').notNull(), expiresAt: integer('expires_at').notNull() },
  (table) => [index('search_saved_end').on(table.expiresAt)],
);
