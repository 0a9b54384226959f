import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Namespaces of external ids. The matching pattern with the lowest priority wins. */
export const externalIdNamespace = sqliteTable('external_id_namespace', {
  name: text('name').primaryKey(),
  pattern: text('pattern').notNull(),
  priority: integer('priority').notNull(),
});
