import { type SQL, sql } from 'drizzle-orm';
import { eachOf, query, statement, value, writes } from '../../../core/store/statement.ts';
import type { Slice } from './field-sql.ts';
import { fieldsOf } from './fields-sql.ts';
import { collectionsFrom } from './keys.ts';

/** Fields that the web page asks about whenever it opens. */
export const countedAtFirst = ['mediaType', 'user'] as const;

const collections = sql.raw(String(collectionsFrom));

const contextOf = sql`CASE WHEN entity < ${collections} THEN (SELECT context FROM item WHERE serial = entity)
  ELSE (SELECT context FROM collection WHERE serial = entity - ${collections}) END`;

/** Adds `changes` (field, entity, val, n) to the counts: to the total, and to that of the context. */
const countsFrom = (changes: SQL) => sql`WITH changes (field, entity, val, n) AS MATERIALIZED (${changes})
  INSERT INTO ${writes('search_count')} (field, context, val, n)
    SELECT CASE WHEN entity < ${collections} THEN field ELSE -field END AS signed,
        CASE part.column1 WHEN 0 THEN 0 ELSE ${contextOf} END AS context, val, sum(n)
      FROM changes CROSS JOIN (VALUES (0), (1)) AS part WHERE TRUE
      GROUP BY 1, 2, 3 HAVING context IS NOT NULL AND sum(n) <> 0
    ON CONFLICT (field, context, val) DO UPDATE SET n = n + excluded.n`;

/** Fields that are counted. Entities below `position` are counted later, by the work that fills. */
const counted = sql`CROSS JOIN search_counted AS c ON c.field = named.field AND c.state <> 'leaving' AND named.entity >= c.position`;

/**
 * Counts what a batch changes, before its old values are deleted. `whole`: entities that are written completely. `left`:
 * changed fields of the others. `come`: new values.
 */
export const countChanges = statement<{ whole: string; left: string; come: string }>(
  countsFrom(sql`SELECT field, entity, val, sum(n) FROM (
      SELECT v.field, v.entity, v.val, -1 AS n FROM (
          SELECT value ->> 0 AS field, value ->> 1 AS entity FROM ${eachOf('left')}
          UNION ALL SELECT named.field, kept.id FROM ${eachOf('whole')} AS given CROSS JOIN ${fieldsOf('given.value')}
        ) AS named ${counted}
        CROSS JOIN search_value AS v ON v.field = named.field AND v.entity = named.entity
      UNION ALL
      SELECT DISTINCT named.field, named.entity, named.val, 1 FROM (
          SELECT value ->> 0 AS field, value ->> 1 AS entity, value ->> 2 AS val FROM ${eachOf('come')}
        ) AS named ${counted}
        WHERE EXISTS (SELECT 1 FROM search_entity WHERE id = named.entity)
    ) GROUP BY field, entity, val HAVING sum(n) <> 0`),
);

/** Whether the data of a field make it a facet. */
const isFacet = sql`entity_type = 'metadata-field' AND key = 'facet' AND value = 'true'`;

/** Facets that are not counted. */
export const missingCounts = sql`SELECT entity_id AS name FROM key_value WHERE ${isFacet}
  AND NOT EXISTS (SELECT 1 FROM search_counted WHERE name = entity_id) LIMIT 1`;

/** Counts of fields that are facets no longer. */
export const needlessCounts = sql`SELECT name FROM search_counted WHERE state <> 'leaving'
  AND name NOT IN (${sql.raw(countedAtFirst.map((name) => `'${name}'`).join())})
  AND NOT EXISTS (SELECT 1 FROM key_value WHERE ${isFacet} AND entity_id = search_counted.name) LIMIT 1`;

/** Counts the values of a slice. */
export const fillCounts = statement<Slice>(
  countsFrom(sql`SELECT field, entity, val, 1 FROM search_value
    WHERE field = ${value('field')} AND entity >= ${value('from')} AND entity < ${value('below')}`),
);

export const hasCounts = query(
  sql`SELECT 1 FROM search_count WHERE field IN (${value('field')}, -${value('field')}) LIMIT 1`,
  { one: sql<number>`` },
);

export const removeCounts = statement<{ field: number; limit: number }>(
  sql`DELETE FROM ${writes('search_count')} WHERE (val, field, context) IN
    (SELECT val, field, context FROM search_count WHERE field IN (${value('field')}, -${value('field')}) LIMIT ${value('limit')})`,
);
