import { prepareQuery, prepareStatement, sql } from '../../store/statement.ts';

const value = sql.placeholder;

/** Number of the newest deletion of a field. 0: none. */
export const newestDeletion = sql<number>`COALESCE((SELECT max(id) FROM metadata_gone), 0)`;

/** Deletions of these fields, oldest first. */
export const deletionsNamed = prepareQuery(
  sql`SELECT metadata_gone.id, name FROM json_each(${value('names')}) AS given
    CROSS JOIN metadata_gone ON name = given.value ORDER BY metadata_gone.id`,
  { id: sql<number>``, name: sql<string>`` },
);

/**
 * Records the deletion of a field, before its definition is deleted. Unused fields have no values to hide. Includes
 * names that a running migration is still renaming to it.
 */
export const tellDeletion = prepareStatement<{ name: string }>(
  sql`INSERT INTO metadata_gone (name)
    WITH RECURSIVE named (name) AS (
      SELECT name FROM metadata_field WHERE name = ${value('name')} AND used = 1
      UNION
      SELECT step.value ->> 'name' FROM named CROSS JOIN schema_migration CROSS JOIN json_each(steps) AS step
        WHERE done = 0 AND step.value ->> 'do' = 'rename' AND step.value ->> 'of' = 'field'
          AND step.value ->> 'to' = named.name
    )
    SELECT name FROM named`,
);
