import { sql } from 'drizzle-orm';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { isSortable } from '../../definitions/public-reading.ts';
import type { Slice } from './field-sql.ts';

/** Sortable fields without an order. */
export const missingOrders = sql`SELECT name FROM metadata_field WHERE ${isSortable} AND NOT EXISTS
  (SELECT 1 FROM search_ordered WHERE search_ordered.name = metadata_field.name) LIMIT 1`;

/** Orders of fields that are no longer sortable. */
export const needlessOrders = sql`SELECT name FROM search_ordered WHERE state <> 'leaving' AND NOT EXISTS
  (SELECT 1 FROM metadata_field WHERE metadata_field.name = search_ordered.name AND ${isSortable}) LIMIT 1`;

/** Fills the order from values. */
export const fillSlice = statement<Slice>(
  sql`INSERT OR IGNORE INTO ${writes('search_order')} (field, key, tie)
    SELECT field, min(COALESCE(folded, val)), -entity FROM search_value
      WHERE field = ${value('field')} AND entity >= ${value('from')} AND entity < ${value('below')} GROUP BY entity
    UNION ALL SELECT field, max(COALESCE(folded, val)), entity FROM search_value
      WHERE field = ${value('field')} AND entity >= ${value('from')} AND entity < ${value('below')} GROUP BY entity
    UNION ALL SELECT -v.field, COALESCE(folded, val) AS key, v.entity FROM (
        SELECT entity, min(COALESCE(folded, val)) AS low, max(COALESCE(folded, val)) AS high FROM search_value
          WHERE field = ${value('field')} AND entity >= ${value('from')} AND entity < ${value('below')}
          GROUP BY entity HAVING count(*) > 2
      ) AS ends CROSS JOIN search_value AS v ON v.field = ${value('field')} AND v.entity = ends.entity
      WHERE key > low AND key < high`,
);

/** Marks a field if any of the entities has several values. Commits of later changes mark it, too. */
export const tellSeveral = statement<Slice>(
  sql`UPDATE ${writes('search_ordered')} SET several = 1 WHERE field = ${value('field')} AND several = 0 AND EXISTS (
    SELECT 1 FROM search_value WHERE search_value.field = ${value('field')} AND entity >= ${value('from')}
      AND entity < ${value('below')} GROUP BY entity HAVING count(*) > 1)`,
);

export const hasPlaces = query(
  sql`SELECT 1 FROM search_order WHERE field IN (${value('field')}, -${value('field')}) LIMIT 1`,
  {
    one: sql<number>``,
  },
);

export const removeSlice = statement<{ field: number; limit: number }>(
  sql`DELETE FROM ${writes('search_order')} WHERE (key, field, tie) IN
    (SELECT key, field, tie FROM search_order WHERE field IN (${value('field')}, -${value('field')}) LIMIT ${value('limit')})`,
);
