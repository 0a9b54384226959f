import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Items whose metadata, or that of what they have, changed while an auto-projection rule was switched on. */
export const autoProjectionDue = sqliteTable(
  'auto_projection_due',
  {
    itemId: text('item_id').notNull(),
    /** The trigger: `itemMetadata`. */
    cause: text('cause').notNull(),
    /** What changed, where it is not the item itself: a shape, or the type and id of what has bulky metadata. */
    targetId: text('target_id').notNull(),
    /** The first change set that no rule has seen. */
    since: text('since').notNull(),
    /** The first change set since an instance took the item. Empty: none. */
    later: text('later').notNull().default(''),
    /** How many deliveries led to the change. */
    depth: integer('depth').notNull(),
    /** The last rule that was carried out: rules are carried out in the order of their names. */
    done: text('done').notNull().default(''),
    /** An instance that takes the item moves it on: the others leave it alone until then. */
    due: integer('due').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.itemId, table.cause, table.targetId] }),
    index('auto_projection_due_next').on(table.due),
  ],
);

/** Why a rule failed last. */
export const autoProjectionFailure = sqliteTable('auto_projection_failure', {
  name: text('name').primaryKey(),
  at: integer('at').notNull(),
  says: text('says').notNull(),
});
