import { sql } from 'drizzle-orm';
import { dueWhile, earliestDue } from '../../../core/store/due.ts';
import { rowExists } from '../../../core/store/guard.ts';
import { deleteBy, updateBy } from '../../../core/store/rows.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { isSortable } from '../../definitions/public-reading.ts';
import { searchOrdered } from '../tables.ts';

/** Sortable fields without an order. */
const missing = sql`SELECT name FROM metadata_field WHERE ${isSortable} AND NOT EXISTS
  (SELECT 1 FROM search_ordered WHERE search_ordered.name = metadata_field.name) LIMIT 1`;
export const missingOrders = query(missing, { name: searchOrdered.name });

/** Orders of fields that are no longer sortable. */
const needless = sql`SELECT name FROM search_ordered WHERE state <> 'leaving' AND NOT EXISTS
  (SELECT 1 FROM metadata_field WHERE metadata_field.name = search_ordered.name AND ${isSortable}) LIMIT 1`;
export const needlessOrders = query(needless, { name: searchOrdered.name });

export const ordersDue = earliestDue(
  dueWhile(sql`SELECT 1 FROM search_ordered WHERE state <> 'ready'`),
  dueWhile(missing),
  dueWhile(needless),
);

export const nextOrder = query((db) => db.select().from(searchOrdered).where(sql`state <> 'ready'`).limit(1)).first;

export const keepOrder = statement<{ name: string; field: number }>(
  sql`INSERT INTO ${writes('search_ordered')} (name, field, state, position)
    VALUES (${value('name')}, ${value('field')}, 'filling', ${Number.MAX_SAFE_INTEGER}) ON CONFLICT DO NOTHING`,
);

export const leaveOrder = statement<{ name: string }>(
  sql`UPDATE ${writes('search_ordered')} SET state = 'leaving' WHERE name = ${value('name')}`,
);

export const orderStands = rowExists(searchOrdered, 'name', 'state', 'position');

/** Lowest number of the next entities with a value, from newest to oldest. NULL: none left. */
export const sliceBelow = query(
  sql`SELECT min(entity) FROM (SELECT DISTINCT entity FROM search_value
    WHERE field = ${value('field')} AND entity < ${value('position')} ORDER BY entity DESC LIMIT ${value('limit')})`,
  { lowest: sql<number | null>`` },
);

type Slice = { readonly field: number; readonly from: number; readonly below: number };

/** Fills the order from values in the same commit, so that concurrent changes are not missed. */
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

export const advanceOrder = updateBy(searchOrdered, 'name', 'position');

export const endFilling = statement<{ name: string }>(
  sql`UPDATE ${writes('search_ordered')} SET state = 'ready' WHERE name = ${value('name')}`,
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

export const forgetOrder = deleteBy(searchOrdered, 'name');
