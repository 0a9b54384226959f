import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Entries of the audit log: actions with user, address and result. */
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
    /** Number of equal requests within a minute. */
    count: integer('count').notNull(),
    /** Time of the last equal entry, if there are several. */
    lastAt: integer('last_at'),
    /** A digest of what equal requests have in common: they add to one row. NULL: a row of its own. */
    fold: text('fold'),
    /** Parameters of the path. */
    matrix: text('matrix'),
  },
  (table) => [
    uniqueIndex('audit_fold').on(table.fold).where(sql`fold IS NOT NULL`),
    index('audit_at').on(table.at),
    index('audit_user').on(table.user, table.at),
  ],
);

/** Requests that changed nothing and were not refused. The oldest go long before any entry of the table above. */
export const auditRead = sqliteTable(
  'audit_read',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    user: text('user'),
    runAs: text('run_as'),
    method: text('method').notNull(),
    path: text('path').notNull(),
    query: text('query'),
    matrix: text('matrix'),
    status: integer('status').notNull(),
    address: text('address'),
    /** More than one: so many requests came that these were only counted. */
    count: integer('count').notNull(),
  },
  (table) => [index('audit_read_at').on(table.at), index('audit_read_user').on(table.user, table.at)],
);
