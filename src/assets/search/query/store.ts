import { desc } from 'drizzle-orm';
import { nextTurn } from '../../../core/lib/turn.ts';
import { query, type Reader, sql, value } from '../../../core/store/statement.ts';
import { definitionOf, type FieldDefinition, metadataField } from '../../definitions/public-reading.ts';
import { distanceOf, globOf, mostDistance } from './terms.ts';

/**
 * Reads what a search must know beside the definitions of its fields. One row without values: it goes with the first call
 * of a request. Also whether any access entries exist for fields, groups or parts of entities, since most services have none.
 */
export const stateOfSearch = query(
  sql`SELECT EXISTS (SELECT 1 FROM search_entity WHERE timed = 1),
    (SELECT json_group_object(name, several) FROM search_ordered WHERE state = 'ready'),
    (SELECT json_group_array(json_array(name, done, total)) FROM search_reindex WHERE built = 0),
    EXISTS (SELECT 1 FROM metadata_field_access),
    EXISTS (SELECT 1 FROM access_entry WHERE permission = 'NONE' AND operation IS NOT NULL),
    (SELECT json_group_object(name, value) FROM counter
      WHERE name IN ('items', 'collections', 'shapes', 'files'))`,
  {
    timed: sql<number>``,
    orders: sql<string>``,
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

const between = query(
  sql`SELECT word FROM search_term WHERE word GLOB ${value('begin')}
    AND length(word) BETWEEN ${value('shortest')} AND ${value('longest')} LIMIT ${value('most')}`,
  { word: sql<string>`` },
);

/** Words with a prefix and a length in the range. */
async function wordsBetween(
  reader: Reader,
  begin: string,
  [shortest, longest]: readonly [number, number],
  most: number,
): Promise<readonly string[]> {
  return (await between(reader, { begin, shortest, longest, most })).map(({ word }) => word);
}

const like = query(
  sql`SELECT json_group_array(word)
    FROM (SELECT word FROM search_term WHERE word GLOB ${value('glob')} LIMIT ${value('most')})`,
  { words: sql<string>`` },
).first;

/** Words that match a pattern. */
export async function wordsLike(reader: Reader, glob: string, most: number): Promise<readonly string[]> {
  const row = await like(reader, { glob, most });
  return JSON.parse(row!.words) as string[];
}

/** Maximum words compared with one word. */
const mostCompared = 50_000;
/** Words per tick of the event loop. */
const slice = 5000;

/** Words of the index within an edit distance. Only words with the same first letter are compared. */
export async function nearWords(
  reader: Reader,
  text: string,
  most: number = mostDistance,
): Promise<ReadonlyMap<string, number>> {
  const [first = ''] = text;
  const lengths = [Math.max(text.length - most, 1), text.length + most] as const;
  const words = await wordsBetween(reader, `${globOf(first)}*`, lengths, mostCompared);
  const near = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    if (index % slice === slice - 1) await nextTurn();
    const distance = distanceOf(text, word);
    if (distance <= most) near.set(word, distance);
  }
  return near;
}
