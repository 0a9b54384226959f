import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Queue of components whose copies must be checked against storage rules. Triggers fill it. */
export const placingDue = sqliteTable(
  'placing_due',
  {
    /** New number after each change of the component, which invalidates earlier decisions. */
    serial: integer('serial').primaryKey({ autoIncrement: true }),
    componentId: text('component_id').notNull(),
    /** 0: the component changed; 1: a rule changed. Later: time of a retry. */
    due: integer('due').notNull(),
    /** Storage at its limit of copies: checked again when some have ended. */
    storageId: text('storage_id'),
  },
  (table) => [
    uniqueIndex('placing_due_component').on(table.componentId),
    index('placing_due_next').on(table.due, table.serial),
    index('placing_due_storage').on(table.storageId, table.serial).where(sql`storage_id IS NOT NULL`),
  ],
);

/** Walks over the components affected by a change of rules, or of their subjects. Components become due in pages. */
export const placingWalk = sqliteTable(
  'placing_walk',
  {
    serial: integer('serial').primaryKey({ autoIncrement: true }),
    /** Scope: ALL, TAG, SHAPE, ITEM, LIBRARY or COLLECTION. */
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    /** Last component processed. */
    cursor: text('cursor').notNull(),
  },
  (table) => [uniqueIndex('placing_walk_of').on(table.kind, table.id)],
);

/** Copies started by rules: one per component and storage. */
export const placingCopy = sqliteTable(
  'placing_copy',
  {
    componentId: text('component_id').notNull(),
    storageId: text('storage_id').notNull(),
    fileId: text('file_id').notNull(),
    jobId: text('job_id').notNull(),
    /** Set after a failure: time of the next attempt. */
    restUntil: integer('rest_until'),
  },
  (table) => [
    primaryKey({ columns: [table.componentId, table.storageId] }),
    index('placing_copy_file').on(table.fileId),
    index('placing_copy_job').on(table.jobId),
    index('placing_copy_running').on(table.storageId).where(sql`rest_until IS NULL`),
  ],
);
