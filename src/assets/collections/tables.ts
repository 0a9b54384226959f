import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Members by position, with gaps between them, so that one member moves without the others. */
export const collectionMember = sqliteTable(
  'collection_member',
  {
    collectionId: text('collection_id').notNull(),
    memberType: text('member_type').notNull(),
    memberId: text('member_id').notNull(),
    position: integer('position').notNull(),
    /** The uuid of the membership: its metadata is kept under it. */
    reference: text('reference').notNull(),
    /** Whether the member gets the access entries of the collection: not where its adder may not grant them. */
    passes: integer('passes').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.memberType, table.memberId] }),
    index('collection_member_of').on(table.memberType, table.memberId, table.collectionId),
    index('collection_member_order').on(table.collectionId, table.position, table.memberType, table.memberId),
  ],
);
