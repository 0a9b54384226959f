import { sql } from 'drizzle-orm';
import { eachOf, query, value } from '../../../core/store/statement.ts';

/** Collections with these ids, and those below them on all levels. */
export const collectionsBelow = query(
  sql`WITH RECURSIVE down (id) AS (
    SELECT value FROM ${eachOf('ids')} UNION
    SELECT member_id FROM down CROSS JOIN collection_member WHERE collection_id = down.id AND member_type = 'collection'
  ) SELECT id FROM down LIMIT ${value('most')}`,
  { id: sql<string>`` },
);

/** Number of items, by the counter that triggers keep. */
export const numberOfItems = query(sql`SELECT value FROM counter WHERE name = 'items'`, { items: sql<number>`` }).first;
