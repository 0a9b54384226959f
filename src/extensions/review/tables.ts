import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
  },
  (table) => [
    index('annotation_item').on(table.itemId, table.serial),
    index('annotation_parent').on(table.parent, table.userId),
  ],
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
  },
  (table) => [index('approval_item').on(table.itemId, table.essenceVersion, table.id)],
);
