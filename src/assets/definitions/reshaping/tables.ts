import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Schema migrations and their progress. Definitions change at once, metadata in the background. */
export const schemaMigration = sqliteTable(
  'schema_migration',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** JSON of the request. */
    document: text('document').notNull(),
    /** JSON of the steps to apply to each state of metadata. */
    steps: text('steps').notNull(),
    /** Search words for states, as JSON. */
    words: text('words').notNull(),
    /** Kinds and names blocked for new definitions until the end, as JSON. */
    leaving: text('leaving').notNull(),
    user: text('user').notNull(),
    runAs: text('run_as'),
    requestId: text('request_id').notNull(),
    /** Cursor: the last entity processed. */
    positionType: text('position_type').notNull().default(''),
    positionId: text('position_id').notNull().default(''),
    /** Rounds over all entities repeat until one changes nothing. */
    round: integer('round').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    remaining: integer('remaining').notNull(),
    done: integer('done').notNull().default(0),
  },
  (table) => [
    index('schema_migration_open').on(table.id).where(sql`done = 0`),
    index('schema_migration_request').on(table.requestId),
  ],
);
