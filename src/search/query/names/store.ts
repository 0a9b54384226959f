import type { FieldRow } from '../../../assets/definitions/fields/store.ts';
import { definitionOf, type FieldDefinition } from '../../../assets/definitions/known.ts';
import { prepareSqlLookup, type Reader, sql } from '../../../store/statement.ts';

/**
 * What each search has to know, in one row: the definitions of the fields that it names, and whether anything is timed.
 * A field whose order has every entity also tells whether any has several values. Besides, which indexes lack older
 * entities. Most services have neither access entries on fields or groups nor entries that close a part of an entity:
 * both are told.
 */
export const stateOfSearch = prepareSqlLookup(
  sql`SELECT (SELECT json_group_array(json_array(name, type, system, sort_key, rest, version, used,
        (SELECT several FROM search_ordered WHERE search_ordered.name = metadata_field.name AND state = 'ready')))
      FROM metadata_field WHERE name IN (SELECT value FROM json_each(${sql.placeholder('names')}))),
    EXISTS (SELECT 1 FROM search_entity WHERE timed = 1),
    (SELECT json_group_array(json_array(name, done, total)) FROM search_reindex WHERE built = 0),
    EXISTS (SELECT 1 FROM metadata_field_access),
    EXISTS (SELECT 1 FROM access_entry WHERE permission = 'NONE' AND operation IS NOT NULL)`,
  {
    fields: sql<string>``,
    timed: sql<number>``,
    building: sql<string>``,
    guarded: sql<number>``,
    closing: sql<number>``,
  },
);

/** Fields with access entries, and the fields in groups that have some, on all levels below. */
export async function deniedNames(reader: Reader) {
  const rows = await reader.read(`WITH RECURSIVE inside (root, name) AS (
      SELECT DISTINCT name, name FROM metadata_field_access WHERE kind = 'group'
      UNION
      SELECT root, member FROM inside CROSS JOIN metadata_field_group_member
        WHERE group_name = inside.name AND kind = 'group'
    )
    SELECT 'field', name, '' FROM (SELECT DISTINCT name FROM metadata_field_access WHERE kind = 'field')
    UNION ALL
    SELECT 'group', member, root FROM inside CROSS JOIN metadata_field_group_member
      WHERE group_name = inside.name AND kind = 'field'`);
  return {
    fields: rows.filter(([kind]) => kind === 'field').map(([, name]) => String(name)),
    groups: rows
      .filter(([kind]) => kind === 'group')
      .map(([, field, group]) => ({ field: String(field), group: String(group) })),
  };
}

/** The fields with words that are looked for anywhere. */
export async function fullTextFields(reader: Reader, most: number): Promise<readonly FieldDefinition[]> {
  const rows = await reader.read(
    `SELECT name, type, system, sort_key, rest, version, used FROM metadata_field
      WHERE type GLOB 'string*' AND (used = 1 OR instr(name, '_') = 0) ORDER BY used DESC, name LIMIT ?`,
    [most],
  );
  return rows
    .map(([name, type, system, sortKey, rest, version, used]) =>
      definitionOf({ name, type, system, sortKey, rest, version, used } as FieldRow),
    )
    .filter(({ fullText }) => fullText);
}
