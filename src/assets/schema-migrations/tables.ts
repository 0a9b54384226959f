import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Changes of the schema that somebody asked for, and how far they are. The definitions changed at once. */
export const schemaMigration = sqliteTable(
  'schema_migration',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** As it was sent, as JSON. */
    document: text('document').notNull(),
    /** What each state of metadata goes through, as JSON. */
    steps: text('steps').notNull(),
    /** The texts by which states are found, as JSON. */
    words: text('words').notNull(),
    /** The names that nobody may define before it is done, as JSON: kinds and names. */
    leaving: text('leaving').notNull(),
    user: text('user').notNull(),
    runAs: text('run_as'),
    requestId: text('request_id').notNull(),
    /** The last entity that was looked at. */
    positionType: text('position_type').notNull().default(''),
    positionId: text('position_id').notNull().default(''),
    /** It goes over all entities until one round changes none. */
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
