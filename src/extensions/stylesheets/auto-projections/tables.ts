import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Queue of items whose metadata, or that of their shapes, changed while an auto-projection rule was switched on. */
export const autoProjectionDue = sqliteTable(
  'auto_projection_due',
  {
    itemId: text('item_id').notNull(),
    /** Trigger, such as `itemMetadata`. */
    cause: text('cause').notNull(),
    /** Changed entity, if not the item itself: a shape, or type and id of the owner of bulky metadata. */
    targetId: text('target_id').notNull(),
    /** The first change set that no rule has seen. */
    since: text('since').notNull(),
    /** The first change set since an instance took the lease. Empty: none. */
    later: text('later').notNull().default(''),
    /** Number of deliveries that led to the change. */
    depth: integer('depth').notNull(),
    /** Name of the last rule that ran: rules run in the order of their names. */
    done: text('done').notNull().default(''),
    /** Due time. An instance that takes the item moves it forward, as a lease. */
    due: integer('due').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.itemId, table.cause, table.targetId] }),
    index('auto_projection_due_next').on(table.due),
  ],
);

/** Last failure of each rule. */
export const autoProjectionFailure = sqliteTable('auto_projection_failure', {
  name: text('name').primaryKey(),
  at: integer('at').notNull(),
  says: text('says').notNull(),
});
