import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** An external id belongs to the namespace of the least priority whose pattern matches it. */
export const externalIdNamespace = sqliteTable('external_id_namespace', {
  name: text('name').primaryKey(),
  pattern: text('pattern').notNull(),
  priority: integer('priority').notNull(),
});
