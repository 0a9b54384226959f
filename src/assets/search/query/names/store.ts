import { desc } from 'drizzle-orm';
import { query, type Reader, sql, value, valuesOf } from '../../../../core/store/statement.ts';
import { definitionOf, type FieldDefinition, metadataField } from '../../../definitions/public-reading.ts';

/**
 * Reads all prerequisites of a search in one row. Includes definitions of named fields, whether anything is timed, and
 * which indexes lack older entities, and how many entities there are. For completely ordered fields, also whether entities have several values. Also
 * whether any access entries exist for fields, groups or parts of entities, since most services have none.
 */
export const stateOfSearch = query(
  sql`SELECT (SELECT json_group_array(json_array(name, type, system, sort_key, rest, version, used,
        (SELECT several FROM search_ordered WHERE search_ordered.name = metadata_field.name AND state = 'ready')))
      FROM metadata_field WHERE name IN ${valuesOf('names')}),
    EXISTS (SELECT 1 FROM search_entity WHERE timed = 1),
    (SELECT json_group_array(json_array(name, done, total)) FROM search_reindex WHERE built = 0),
    EXISTS (SELECT 1 FROM metadata_field_access),
    EXISTS (SELECT 1 FROM access_entry WHERE permission = 'NONE' AND operation IS NOT NULL),
    (SELECT json_group_object(name, value) FROM counter
      WHERE name IN ('items', 'collections', 'shapes', 'files'))`,
  {
    fields: sql<string>``,
    timed: sql<number>``,
    building: sql<string>``,
    guarded: sql<number>``,
    closing: sql<number>``,
    entities: sql<string>``,
  },
).first;

const texts = query((db) =>
  db
    .select()
    .from(metadataField)
    .where(sql`type GLOB 'string*' AND (used = 1 OR instr(name, '_') = 0)`)
    .orderBy(desc(metadataField.used), metadataField.name)
    .limit(value('most')),
);

/** Fields included in full-text search. */
export async function fullTextFields(reader: Reader, most: number): Promise<readonly FieldDefinition[]> {
  return (await texts(reader, { most })).map(definitionOf).filter(({ fullText }) => fullText);
}
