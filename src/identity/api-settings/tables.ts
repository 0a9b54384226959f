import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Configuration properties that were set; the others have their defaults. */
export const property = sqliteTable('property', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  changedAt: integer('changed_at').notNull(),
});

/** Secrets by their aliases. */
export const secret = sqliteTable('secret', {
  alias: text('alias').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

/** Encrypted values of secrets. */
export const secretValue = sqliteTable(
  'secret_value',
  {
    alias: text('alias').notNull(),
    key: text('key').notNull(),
    sealed: text('sealed').notNull(),
    changedAt: integer('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.alias, table.key] })],
);

/** Configuration documents as JSON. One that was deleted keeps its row, so that revisions never come twice. */
export const configuration = sqliteTable('configuration', {
  name: text('name').primaryKey(),
  document: text('document'),
  revision: integer('revision').notNull(),
});
