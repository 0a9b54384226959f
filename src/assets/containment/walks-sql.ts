import { type SQL, sql } from 'drizzle-orm';

/** Memberships that pass access entries on, or metadata. */
type Passing = 'passes' | 'inherits';

/** Text before and behind the query of the entities at the foot. */
function walkUp(only?: Passing): readonly [before: string, behind: string] {
  const counts = only === undefined ? '' : ` AND ${only} = 1`;
  return [
    'up (root, id) AS (SELECT root, collection_id FROM (',
    `) AS low CROSS JOIN collection_member ON member_type = low.type AND member_id = low.id${counts}
      UNION
      SELECT root, collection_id FROM up
        CROSS JOIN collection_member ON member_type = 'collection' AND member_id = up.id${counts})`,
  ];
}

/**
 * Table `up (root, id)` of a recursive query: the collections above entities on all levels, each once, the nearest first.
 * `low`: a query of `root`, `type` and `id` of the entities.
 */
export function collectionsAbove(low: SQL, only?: Passing): SQL {
  const [before, behind] = walkUp(only);
  return sql`${sql.raw(before)}${low}${sql.raw(behind)}`;
}

/** Text of that table, for queries that are composed as text. */
export const collectionsAboveText = (low: string, only?: Passing): string => walkUp(only).join(low);

/** Maximum depth of containers. Cycles cannot occur. */
export const maxDepth = 250;

/**
 * Table `up (root, kind, type, id, distance, found)` of a recursive query: entities, and the collections and libraries that pass
 * access entries on to them. `low`: a query of `root`, `type` and `id` of the entities, whose type is `kind`. `found`: 1
 * behind a library.
 * Collections and libraries are separate steps: their view in one would be read as a whole.
 */
export const containersAbove = (low: SQL, limit?: number): SQL => sql`up (root, kind, type, id, distance, found) AS (
    SELECT root, type, type, id, 0, 0 FROM (${low}) AS low
    UNION
    SELECT root, kind, 'collection', over.collection_id, distance + 1, found FROM up
      CROSS JOIN collection_member AS over ON over.member_type = up.type AND over.member_id = up.id AND over.passes = 1
      WHERE distance < ${sql.raw(String(maxDepth))}
    UNION
    SELECT root, kind, 'library', over.library_id, distance + 1, 1 FROM up
      CROSS JOIN library_item AS over ON up.type = 'item' AND over.item_id = up.id AND over.passes = 1
      WHERE distance < ${sql.raw(String(maxDepth))}${sql.raw(limit === undefined ? '' : ` LIMIT ${limit}`)}
  )`;
