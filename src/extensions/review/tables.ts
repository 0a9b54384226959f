import { sql } from 'drizzle-orm';
import { customType, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { textIndex } from '../../core/store/tables-sql.ts';

/** States of a version under review. */
export const approvalStates = ['in-review', 'approved', 'rejected'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** Annotations of items. */
export const annotation = sqliteTable(
  'annotation',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    itemId: text('item_id').notNull(),
    /** Annotation that this one replies to. */
    parent: text('parent'),
    /** Time codes as they were sent. */
    start: text('start'),
    end: text('end'),
    rectangle: text('rectangle'),
    drawing: text('drawing'),
    text: text('text'),
    state: text('state').notNull(),
    /** Essence version that the author saw. */
    essenceVersion: integer('essence_version'),
    /** Author, with the name of that time. */
    userId: text('user_id').notNull(),
    user: text('user').notNull(),
    assigneeId: text('assignee_id'),
    assignee: text('assignee'),
    createdAt: integer('created_at').notNull(),
    changedAt: integer('changed_at').notNull(),
    /** Increments with each change. */
    version: integer('version').notNull(),
    /** Members of a Web Annotation as they were sent, as JSON. NULL: the other columns say all. */
    members: text('members'),
    /** Address from which the annotation was imported. */
    origin: text('origin'),
  },
  (table) => [
    index('annotation_item').on(table.itemId, table.serial),
    index('annotation_parent').on(table.parent, table.userId),
    index('annotation_origin').on(table.itemId, table.origin).where(sql`origin IS NOT NULL`),
    // Searches of items begin at the annotations by these.
    uniqueIndex('annotation_serial').on(table.serial),
    index('annotation_state').on(table.state, table.itemId),
    index('annotation_author').on(table.userId),
    index('annotation_author_name').on(table.user),
    index('annotation_assignee').on(table.assigneeId).where(sql`assignee_id IS NOT NULL`),
    index('annotation_assignee_name').on(table.assignee).where(sql`assignee IS NOT NULL`),
  ],
);

/** Words of the texts of annotations, by their serials. */
export const annotationText = textIndex(
  sqliteTable('annotation_text', { words: customType<{ data: string }>({ dataType: () => '' })('words') }),
  `content='', contentless_delete=1, tokenize="ascii tokenchars '_'"`,
);

/** States in which reviewers put the essence versions of items. The newest row of a version counts. */
export const approval = sqliteTable(
  'approval',
  {
    id: integer('id').primaryKey(),
    itemId: text('item_id').notNull(),
    essenceVersion: integer('essence_version').notNull(),
    state: text('state', { enum: approvalStates }).notNull(),
    comment: text('comment'),
    /** Reviewer, with the name of that time. */
    userId: text('user_id').notNull(),
    user: text('user').notNull(),
    at: integer('at').notNull(),
    /** 1: the newest state of the version. */
    isCurrent: integer('is_current').notNull(),
  },
  (table) => [
    index('approval_item').on(table.itemId, table.essenceVersion, table.id),
    // Searches of items begin at the states of now.
    index('approval_state').on(table.state, table.itemId).where(sql`is_current = 1`),
  ],
);
