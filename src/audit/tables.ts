import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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
    /** How many equal requests came within a minute. */
    count: integer('count').notNull(),
    /** When the last of them came, where there are several. */
    lastAt: integer('last_at'),
    /** A digest of what equal requests have in common: they add to one row. NULL: a row of its own. */
    fold: text('fold'),
  },
  (table) => [
    uniqueIndex('audit_fold').on(table.fold).where(sql`fold IS NOT NULL`),
    index('audit_at').on(table.at),
    index('audit_user').on(table.user, table.at),
  ],
);
