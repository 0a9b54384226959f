import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
