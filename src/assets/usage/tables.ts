import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Kinds of entities that have terms of use. */
const types = ['item', 'collection', 'shape'] as const;
export type TermedType = (typeof types)[number];

/** Terms of use: when the media of an entity may leave the service. */
export const usageTerm = sqliteTable(
  'usage_term',
  {
    entityType: text('entity_type', { enum: types }).notNull(),
    entityId: text('entity_id').notNull(),
    /** Item of a shape. NULL: the entity is no shape. */
    itemId: text('item_id'),
    /** NULL: it may since ever. */
    usableFrom: integer('usable_from'),
    /** First millisecond at which it may no longer. NULL: it may for ever. */
    usableUntil: integer('usable_until'),
    reason: text('reason'),
    /** User who set the terms, with the name of that time. */
    userId: text('user_id').notNull(),
    user: text('user').notNull(),
    modifiedAt: integer('modified_at').notNull(),
    /** Time of the next event, which is one of the two times. NULL: none is left. */
    due: integer('due'),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.entityId] }),
    // For the report of what ends next.
    index('usage_term_until')
      .on(table.usableUntil, table.entityType, table.entityId)
      .where(sql`usable_until IS NOT NULL`),
    // Searches begin at the terms by these.
    index('usage_term_end')
      .on(table.entityType, table.usableUntil, table.entityId)
      .where(sql`usable_until IS NOT NULL`),
    index('usage_term_begin')
      .on(table.entityType, table.usableFrom, table.entityId)
      .where(sql`usable_from IS NOT NULL`),
    index('usage_term_due').on(table.due).where(sql`due IS NOT NULL`),
  ],
);
