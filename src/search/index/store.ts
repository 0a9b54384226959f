import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { tellIndexes } from '../feed/store.ts';
import { everyWord, wordsThatCome } from './dictionary.ts';
import { differenceOf } from './difference.ts';
import { collectionsFrom } from './numbers.ts';
import type { EmbeddedDoc, EmbeddedIndex, Had } from './port.ts';

/**
 * Values that stay cost no write: each field has its values on pages of its own. SQLite compares all columns of a list as
 * it compares the first. Only a first column without a type lets it use the whole key.
 */
const removeValues = `DELETE FROM search_value WHERE (val, field, entity) IN
  (SELECT value ->> 2, value ->> 0, value ->> 1 FROM json_each(?))`;

const insertValues = `INSERT INTO search_value (field, entity, val, spans, folded)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE TRUE
  ON CONFLICT (field, entity, val) DO UPDATE SET spans = excluded.spans, folded = excluded.folded`;

/** The places of `changed` (field, entity) by the values as they are at that time: the ends, and what lies between. */
function placesOf(changed: string): string {
  return `WITH changed (field, entity) AS MATERIALIZED (${changed}),
      ends (field, entity, low, high) AS MATERIALIZED (
        SELECT changed.field, changed.entity, min(COALESCE(folded, val)), max(COALESCE(folded, val))
          FROM changed CROSS JOIN search_value AS v ON v.field = changed.field AND v.entity = changed.entity
          GROUP BY changed.field, changed.entity)
    SELECT low AS key, field, -entity AS tie FROM ends
    UNION ALL SELECT high, field, entity FROM ends
    UNION ALL SELECT COALESCE(folded, val) AS key, -ends.field, ends.entity
      FROM ends CROSS JOIN search_value AS v ON v.field = ends.field AND v.entity = ends.entity
      WHERE ends.low <> ends.high AND key > low AND key < high`;
}

/** The outer SELECT lets SQLite use the key at all. */
const removePlaces = (changed: string): string =>
  `DELETE FROM search_order WHERE (key, field, tie) IN (SELECT * FROM (${placesOf(changed)}))`;
const insertPlaces = (changed: string): string =>
  `INSERT OR IGNORE INTO search_order (key, field, tie)
    SELECT * FROM (${placesOf(`${changed} AND state <> 'leaving'`)}) WHERE key IS NOT NULL
      AND EXISTS (SELECT 1 FROM search_entity WHERE search_entity.id = abs(tie))`;

const namedPlaces = `SELECT given.value ->> 0, given.value ->> 1 FROM json_each(?) AS given
  CROSS JOIN search_ordered ON search_ordered.field = given.value ->> 0 WHERE TRUE`;

/** Entities of which other rows were read, as another instance was faster, or rows that memory cannot compare. */
const overtaken = `SELECT given.value ->> 0 AS id FROM json_each(?2) AS given
  LEFT JOIN search_rows ON search_rows.id = given.value ->> 0 WHERE search_rows.version IS NOT given.value ->> 1`;
const overtakenPlaces = `SELECT search_ordered.field, late.id FROM (${overtaken}) AS late CROSS JOIN search_ordered WHERE TRUE`;

const removeOvertaken = `DELETE FROM search_value WHERE (val, field, entity) IN (
    SELECT pair.value ->> 1, pair.value ->> 0, search_rows.id FROM (${overtaken}) AS late
      CROSS JOIN search_rows ON search_rows.id = late.id CROSS JOIN json_each(search_rows.rows) AS pair)`;
const insertOvertaken = `INSERT INTO search_value (field, entity, val, spans, folded)
  SELECT pair.value ->> 0, late.id, pair.value ->> 1, COALESCE(pair.value ->> 2, 1), pair.value ->> 3
    FROM (${overtaken}) AS late CROSS JOIN json_each(?1) AS given ON given.value ->> 0 = late.id
    CROSS JOIN json_each(given.value, '$[1]') AS pair WHERE TRUE
  ON CONFLICT (field, entity, val) DO UPDATE SET spans = excluded.spans, folded = excluded.folded`;

const [removeNamed, insertNamed] = [removePlaces(namedPlaces), insertPlaces(namedPlaces)];
const replaceOvertaken = [
  removePlaces(overtakenPlaces),
  removeOvertaken,
  insertOvertaken,
  insertPlaces(overtakenPlaces),
];

/** Ranges of these fields read all places of an entity from now on, and not one. */
const tellSeveral = `UPDATE search_ordered SET several = 1
  WHERE several = 0 AND field IN (SELECT value FROM json_each(?))`;

const writeRows = `INSERT INTO search_rows (id, rows)
  SELECT value ->> 0, value -> 1 FROM json_each(?) WHERE TRUE
  ON CONFLICT (id) DO UPDATE SET rows = excluded.rows, version = version + 1`;

/** The entity may have gone since its metadata was read: then it stays out. */
const there = `COALESCE(
  (SELECT created_at FROM item WHERE id = value ->> 1 AND value ->> 0 < ${collectionsFrom}),
  (SELECT created_at FROM collection WHERE id = value ->> 1 AND value ->> 0 >= ${collectionsFrom}))`;

const writeEntities = `INSERT INTO search_entity (id, entity_id, created_at, timed)
  SELECT value ->> 0, value ->> 1, ${there}, value ->> 2 FROM json_each(?)
    WHERE NOT EXISTS (SELECT 1 FROM search_entity WHERE id = value ->> 0 AND timed = value ->> 2) AND ${there} IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET timed = excluded.timed`;

const writeTexts = `INSERT OR REPLACE INTO search_text (rowid, gw, gp, gk, tw, tp, tk)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(?) WHERE EXISTS (SELECT 1 FROM search_entity WHERE id = value ->> 0) ORDER BY value ->> 0`;

const insertWords = `INSERT OR IGNORE INTO search_term (word) SELECT value FROM json_each(?)`;

/** The index in the database of the service. Its rows change in the transaction that changes the metadata. */
export const embeddedIndex: EmbeddedIndex = { rowsOf, apply };

async function rowsOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Had>> {
  const sql = 'SELECT id, rows, version FROM search_rows WHERE id IN (SELECT value FROM json_each(?))';
  const found = await reader.read(sql, [JSON.stringify(ids)]);
  return new Map(found.map(([id, rows, version]) => [Number(id), { rows: String(rows), version: Number(version) }]));
}

function apply(
  batch: readonly EmbeddedDoc[],
  had: ReadonlyMap<number, Had>,
  lacking?: (words: ReadonlySet<string>) => readonly string[],
): readonly Statement[] {
  // In the order of their numbers: the engine writes a fourteenth of what any other order costs.
  const docs = batch.toSorted((one, other) => one.id - other.id);
  if (docs.length === 0) return [];
  const ids = JSON.stringify(docs.map(({ id }) => id));
  const { rows, read, gone, come, changed, added } = differenceOf(docs, had);
  const words = lacking
    ? lacking(wordsThatCome(docs, added))
    : [...new Set(docs.flatMap((doc) => [...everyWord(doc)]))];
  const several = severalIn(docs);
  const entities = docs.map(({ id, entityId, timed }) => [id, entityId, timed ? 1 : 0]);
  const texts = docs.map(({ id, generic, inTime }) => [
    id,
    generic.words,
    generic.fieldWords,
    generic.keys,
    inTime.words,
    inTime.fieldWords,
    inTime.keys,
  ]);
  return [
    // An entity that is gone has no row here, and gets no place and no words.
    statement(writeEntities, JSON.stringify(entities)),
    statement(removeNamed, changed),
    statement(removeValues, gone),
    statement(insertValues, come),
    statement(insertNamed, changed),
    ...(several.length > 0 ? [statement(tellSeveral, JSON.stringify(several))] : []),
    ...(had.size > 0 ? replaceOvertaken.map((sql) => ({ sql, args: [rows, read] })) : []),
    statement(writeRows, rows),
    statement(writeTexts, JSON.stringify(texts)),
    ...tellIndexes(ids),
    ...(words.length > 0 ? [statement(insertWords, JSON.stringify(words))] : []),
  ];
}

/** The fields of which some entity has several values. */
function severalIn(docs: readonly EmbeddedDoc[]): readonly number[] {
  const found = new Set<number>();
  for (const { values } of docs) {
    const seen = new Set<number>();
    for (const { field } of values) {
      if (seen.has(field)) found.add(field);
      else seen.add(field);
    }
  }
  return [...found];
}

const statement = (sql: string, json: string): Statement => ({ sql, args: [json] });
