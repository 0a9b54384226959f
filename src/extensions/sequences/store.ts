import { sql } from 'drizzle-orm';
import { collectionMember } from '../../assets/containment/tables.ts';
import { eachOf, query, value } from '../../core/store/statement.ts';

/** Items of a collection, in order. */
export const itemsInOrder = query(
  sql`SELECT member_id FROM collection_member WHERE collection_id = ${value('id')} AND member_type = 'item'
    ORDER BY position LIMIT ${value('limit')}`,
  { id: collectionMember.memberId },
);

/** Ids without an item. `ids`: JSON array. */
export const idsWithoutItem = query(
  sql`SELECT value FROM ${eachOf('ids')} WHERE NOT EXISTS (SELECT 1 FROM item WHERE id = value) LIMIT 1`,
  { id: collectionMember.memberId },
);
