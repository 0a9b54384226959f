import { desc } from 'drizzle-orm';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { eachOf, oneEntity, query, type Reader, sql, value, valuesOf } from '../../../core/store/statement.ts';
import { collectionsBelow } from '../../containment/walks-sql.ts';
import { definitionOf, type FieldDefinition, metadataField } from '../../definitions/public-reading.ts';
import { collectionsFrom } from '../index/keys.ts';
import { type Node, partsOf } from './ast.ts';
import { type Expansions, isLookedUp, keyOf, maxWords, tokensIn, tooManyWords } from './match.ts';
import { distanceOf, globOf, maxDistance } from './terms.ts';

/**
 * Reads what a search must know beside the definitions of its fields. One row without values: it goes with the first call
 * of a request. Also whether any access entries exist for fields, groups or parts of entities, since most services have none.
 */
export const stateOfSearch = query(
  sql`SELECT EXISTS (SELECT 1 FROM search_entity WHERE timed = 1),
    (SELECT json_group_object(name, several) FROM search_ordered WHERE state = 'ready'),
    (SELECT json_group_array(name) FROM search_counted WHERE state = 'ready'),
    (SELECT json_group_array(json_array(name, done, total)) FROM search_reindex WHERE built = 0),
    EXISTS (SELECT 1 FROM metadata_field_access),
    EXISTS (SELECT 1 FROM access_entry WHERE permission = 'NONE' AND operation IS NOT NULL),
    (SELECT json_group_object(name, value) FROM counter
      WHERE name IN ('items', 'collections', 'shapes', 'files'))`,
  {
    timed: sql<number>``,
    orders: sql<string>``,
    counts: sql<string>``,
    building: sql<string>``,
    guarded: sql<number>``,
    closing: sql<number>``,
    entities: sql<string>``,
  },
).reaching(oneEntity).first;

const collections = sql.raw(String(collectionsFrom));

const texts = query((db) =>
  db
    .select()
    .from(metadataField)
    .where(sql`type GLOB 'string*' AND (used = 1 OR instr(name, '_') = 0)`)
    .orderBy(desc(metadataField.used), metadataField.name)
    .limit(value('max')),
);

/** Fields included in full-text search. */
export async function fullTextFields(reader: Reader, max: number): Promise<readonly FieldDefinition[]> {
  return (await texts(reader, { max })).map(definitionOf).filter(({ fullText }) => fullText);
}

const between = query(
  sql`SELECT word FROM search_term WHERE word GLOB ${value('begin')}
    AND length(word) BETWEEN ${value('shortest')} AND ${value('longest')} LIMIT ${value('max')}`,
  { word: sql<string>`` },
);

/** Words with a prefix and a length in the range. */
async function wordsBetween(
  reader: Reader,
  begin: string,
  [shortest, longest]: readonly [number, number],
  max: number,
): Promise<readonly string[]> {
  return (await between(reader, { begin, shortest, longest, max })).map(({ word }) => word);
}

const like = query(
  sql`SELECT json_group_array(word)
    FROM (SELECT word FROM search_term WHERE word GLOB ${value('glob')} LIMIT ${value('max')})`,
  { words: sql<string>`` },
).reaching({ upTo: 'max', counts: ([row]) => (JSON.parse(row!.words) as readonly unknown[]).length }).first;

/** Words that match a pattern. */
export async function wordsLike(reader: Reader, glob: string, max: number): Promise<readonly string[]> {
  const row = await like(reader, { glob, max });
  return JSON.parse(row!.words) as string[];
}

/** Maximum words compared with one word. */
const maxCompared = 50_000;
/** Words per tick of the event loop. */
const slice = 5000;

/** Words of the index within an edit distance. Only words with the same first letter are compared. */
export async function nearWords(
  reader: Reader,
  text: string,
  max: number = maxDistance,
): Promise<ReadonlyMap<string, number>> {
  const [first = ''] = text;
  const lengths = [Math.max(text.length - max, 1), text.length + max] as const;
  const words = await wordsBetween(reader, `${globOf(first)}*`, lengths, maxCompared);
  const near = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    if (index % slice === slice - 1) await yieldTurn();
    const distance = distanceOf(text, word);
    if (distance <= max) near.set(word, distance);
  }
  return near;
}

/** Maximum words that all wildcards and near words of a search may expand to. */
const maxExpanded = 1000;

/** Words of the index that wildcards and near words of some criteria stand for. Refuses too many. */
export async function expansionsOf(reader: Reader, nodes: readonly Node[]): Promise<Expansions> {
  const expansions = new Map<string, readonly string[]>();
  let all = 0;
  for (const node of nodes.flatMap((each) => [...partsOf(each)])) {
    if (node.is !== 'words') continue;
    const tokens = tokensIn(node.units);
    for (const [index, token] of tokens.entries()) {
      const key = keyOf(token);
      if (!isLookedUp(token, index, tokens) || expansions.has(key)) continue;
      const words =
        token.kind === 'near'
          ? [...(await nearWords(reader, token.text, token.distance)).keys()]
          : await wordsLike(reader, globOf(key), maxWords + 1);
      if (words.length > maxWords) throw tooManyWords(key);
      expansions.set(key, words);
      all += words.length;
      if (all > maxExpanded) throw tooManyWords(key);
    }
  }
  return expansions;
}

/** Existing entities with these numbers. */
export const entitiesAmong = query(
  sql`SELECT serial, id FROM item WHERE serial IN ${valuesOf('numbers')}
    UNION ALL SELECT serial + ${collections}, id FROM collection
      WHERE serial IN (SELECT value - ${collections} FROM ${eachOf('numbers')})`,
  { id: sql<number>``, entityId: sql<string>`` },
);

/** Collections with these ids, and those below them on all levels. */
export const treesOf = query(
  sql`WITH RECURSIVE ${collectionsBelow(sql`SELECT value FROM ${eachOf('ids')}`)} SELECT id FROM down LIMIT ${value('max')}`,
  { id: sql<string>`` },
);

/** Items of a collection after a place, in the order of the collection. */
export const membersBehind = query(
  sql`SELECT position, item.serial FROM collection_member CROSS JOIN item ON item.id = member_id
    WHERE collection_id = ${value('collection')} AND member_type = 'item' AND position >= ${value('place')}
      AND (position > ${value('place')} OR item.serial > ${value('number')})
    ORDER BY position, item.serial LIMIT ${value('max')}`,
  { place: sql<number>``, number: sql<number>`` },
);
