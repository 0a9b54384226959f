import { eachOf, query, sql } from '../../../core/store/statement.ts';

/** Number of the newest deletion of a field. 0: none. */
export const newestDeletion = sql<number>`COALESCE((SELECT max(id) FROM metadata_gone), 0)`;

/** Deletions of these fields, oldest first. */
export const deletionsNamed = query(
  sql`SELECT metadata_gone.id, name FROM ${eachOf('names')} AS given
    CROSS JOIN metadata_gone ON name = given.value ORDER BY metadata_gone.id`,
  { id: sql<number>``, name: sql<string>`` },
);
