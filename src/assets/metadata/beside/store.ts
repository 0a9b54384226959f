import { sql } from 'drizzle-orm';
import { query, value } from '../../../core/store/statement.ts';

/** Count with an upper limit. */
const upTo = (rows: ReturnType<typeof sql>) => sql`(SELECT count(*) FROM (${rows} LIMIT ${value('most')}))`;

/**
 * Counts rows stored outside the metadata of one item or collection: its collections, and other rows. Also whether any
 * definition lets items inherit from collections.
 */
export const rowsBeside = query(
  sql`SELECT
    EXISTS (SELECT 1 FROM metadata_field WHERE rest ->> '$.inheritance' = 'true')
      OR EXISTS (SELECT 1 FROM metadata_field_group WHERE rest ->> '$.inheritance' = 'true'),
    ${upTo(sql`WITH RECURSIVE up (id) AS (
        SELECT collection_id FROM collection_member WHERE member_type = ${value('kind')} AND member_id = ${value('id')}
        UNION
        SELECT collection_id FROM up CROSS JOIN collection_member WHERE member_type = 'collection' AND member_id = up.id
      ) SELECT 1 FROM up`)},
    CASE ${value('kind')} WHEN 'collection' THEN 1 ELSE
      ${upTo(sql`SELECT 1 FROM attachment
        WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')} AND kind = 'sequence'`)}
      + ${upTo(sql`SELECT 1 FROM shape WHERE item_id = ${value('id')}`)}
      + ${upTo(sql`SELECT 1 FROM shape_tagged WHERE item_id = ${value('id')}`)}
      + ${upTo(sql`SELECT 1 FROM file_use WHERE item_id = ${value('id')}`)} END`,
  { inherits: sql<number>``, collections: sql<number>``, others: sql<number>`` },
);
