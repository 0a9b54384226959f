import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Members of collections. Gaps between positions let a member move alone. */
export const collectionMember = sqliteTable(
  'collection_member',
  {
    collectionId: text('collection_id').notNull(),
    memberType: text('member_type').notNull(),
    memberId: text('member_id').notNull(),
    position: integer('position').notNull(),
    /** UUID of the membership, to which its metadata belongs. */
    reference: text('reference').notNull(),
    /** 1: the member inherits the access entries of the collection. 0: the user who added it may not grant them. */
    passes: integer('passes').notNull().default(1),
    /** 1: items inherit metadata of the collection by the member. 0: the user who added it may not write it. */
    inherits: integer('inherits').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.memberType, table.memberId] }),
    index('collection_member_of').on(table.memberType, table.memberId, table.collectionId),
    index('collection_member_order').on(table.collectionId, table.position, table.memberType, table.memberId),
  ],
);
