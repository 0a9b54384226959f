import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Components whose copies storage rules may want elsewhere. Triggers write them, so none is forgotten. */
export const placingDue = sqliteTable(
  'placing_due',
  {
    /** Another one whenever something of the component changes: what was decided before counts no more. */
    serial: integer('serial').primaryKey({ autoIncrement: true }),
    componentId: text('component_id').notNull(),
    /** 0: a change of the component, 1: a change of a rule. */
    due: integer('due').notNull(),
    /** Too many copies to this storage run: it is looked at again when some have ended. */
    storageId: text('storage_id'),
  },
  (table) => [
    uniqueIndex('placing_due_component').on(table.componentId),
    index('placing_due_next').on(table.due, table.serial),
    index('placing_due_storage').on(table.storageId, table.serial).where(sql`storage_id IS NOT NULL`),
  ],
);

/** Changes of rules, and of what rules are about: their components become due page by page. */
export const placingWalk = sqliteTable(
  'placing_walk',
  {
    serial: integer('serial').primaryKey({ autoIncrement: true }),
    /** ALL, TAG, SHAPE, ITEM, LIBRARY or COLLECTION: which components. */
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    /** The last one that was done. */
    cursor: text('cursor').notNull(),
  },
  (table) => [uniqueIndex('placing_walk_of').on(table.kind, table.id)],
);

/** Copies that rules have started: one for each component and storage. */
export const placingCopy = sqliteTable(
  'placing_copy',
  {
    componentId: text('component_id').notNull(),
    storageId: text('storage_id').notNull(),
    /** The source. */
    fileId: text('file_id').notNull(),
    jobId: text('job_id').notNull(),
    /** The copy has failed: until when nobody tries again. */
    restUntil: integer('rest_until'),
  },
  (table) => [
    primaryKey({ columns: [table.componentId, table.storageId] }),
    index('placing_copy_file').on(table.fileId),
    index('placing_copy_job').on(table.jobId),
    index('placing_copy_running').on(table.storageId).where(sql`rest_until IS NULL`),
  ],
);
