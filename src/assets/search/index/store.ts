import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { statement, value, writes } from '../../../core/store/statement.ts';
import { tellIndexes } from '../engine/feed-sql.ts';
import { countChanges } from './counts-sql.ts';
import { type EmbeddedDoc, type EmbeddedIndex, everyWord, type IndexedValue, wordsThatCome } from './document.ts';
import { fieldsOf } from './fields-sql.ts';
import { collectionsFrom } from './keys.ts';

/** Rows of a batch, as JSON. */
interface ValueRows {
  /** Numbers of entities that are written completely; `fields`: JSON object of their field lists. */
  readonly whole: readonly number[];
  readonly fields: string;
  /** Fields of the other entities whose values are deleted, as `[field, entity]`. */
  readonly left: string;
  /** New values, as `[field, entity, value, spans, folded]`. */
  readonly come: string;
  /** Fields with new values, as `[field, entity]`. */
  readonly placed: string;
  /** New values by document. */
  readonly added: readonly (readonly IndexedValue[])[];
}

/**
 * Rows to write for a batch. Changes name their fields, so nothing is read: all rows of a field are deleted, and the
 * new ones inserted.
 */
function valueRowsOf(docs: readonly EmbeddedDoc[]): ValueRows {
  const whole: number[] = [];
  const fields: string[] = [];
  const left: string[] = [];
  const come: string[] = [];
  const placed = new Set<string>();
  const added: (readonly IndexedValue[])[] = [];
  for (const { id, values, changed } of docs) {
    const its = changed === undefined ? values : values.filter(({ field }) => changed.has(field));
    added.push(its);
    for (const { field, json, spans, folded } of its) {
      come.push(`[${field},${id},${json},${spans}${folded === undefined ? '' : `,${JSON.stringify(folded)}`}]`);
      placed.add(`[${field},${id}]`);
    }
    if (changed === undefined) {
      whole.push(id);
      fields.push(`"${id}":"[${[...new Set(values.map(({ field }) => field))].join()}]"`);
    } else {
      for (const field of changed) left.push(`[${field},${id}]`);
    }
  }
  return { whole, fields: `{${fields.join()}}`, left: listOf(left), come: listOf(come), placed: listOf(placed), added };
}

const listOf = (parts: Iterable<string>): string => `[${[...parts].join()}]`;

/** A statement whose rows come as one JSON text. */
function written(template: SQL): (json: string) => Statement {
  const prepared = statement<{ json: string }>(template);
  return (json) => prepared({ json });
}

/** Deletes values of changed fields only: each field has its values on pages of its own. */
const removeValues = (fields: SQL) => sql`DELETE FROM ${writes('search_value')} WHERE (field, entity) IN (${fields})`;

const insertValues = written(sql`INSERT INTO ${writes('search_value')} (field, entity, val, spans, folded)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(${value('json')})
    WHERE EXISTS (SELECT 1 FROM search_entity WHERE id = value ->> 1)
  ON CONFLICT (field, entity, val) DO UPDATE SET spans = excluded.spans, folded = excluded.folded`);

/** Places of `changed` (field, entity) in the order, from current values: minimum, maximum, and values between. */
function placesOf(changed: SQL): SQL {
  return sql`WITH changed (field, entity) AS MATERIALIZED (${changed}),
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

/** The outer SELECT and an untyped first column enable SQLite to use the whole key. */
const removePlaces = (changed: SQL) =>
  sql`DELETE FROM ${writes('search_order')} WHERE (key, field, tie) IN (SELECT * FROM (${placesOf(changed)}))`;
const insertPlaces = (changed: SQL) =>
  sql`INSERT OR IGNORE INTO ${writes('search_order')} (key, field, tie)
    SELECT * FROM (${placesOf(sql`${changed} AND state <> 'leaving'`)}) WHERE key IS NOT NULL
      AND EXISTS (SELECT 1 FROM search_entity WHERE search_entity.id = abs(tie))`;

const givenFields = sql`SELECT value ->> 0 AS field, value ->> 1 AS entity FROM json_each(${value('json')})`;
const keptFields = sql`SELECT named.field, kept.id AS entity
  FROM json_each(${value('json')}) AS given CROSS JOIN ${fieldsOf('given.value')}`;
const ordered = (fields: SQL) => sql`SELECT named.field, named.entity FROM (${fields}) AS named
  CROSS JOIN search_ordered ON search_ordered.field = named.field WHERE TRUE`;

const removeGiven = [removePlaces(ordered(givenFields)), removeValues(givenFields)].map(written);
const removeKept = [removePlaces(ordered(keptFields)), removeValues(keptFields)].map(written);
const insertGiven = written(insertPlaces(ordered(givenFields)));

/** Marks fields with several values per entity: ranges then read all places of an entity. */
const tellSeveral = written(sql`UPDATE ${writes('search_ordered')} SET several = 1
  WHERE several = 0 AND field IN (SELECT value FROM json_each(${value('json')}))`);

const idsAmong = (fields: string) => sql`(SELECT json_group_array(search_field.id)
  FROM json_each(${sql.raw(fields)}) AS each CROSS JOIN search_field ON search_field.field = each.value)`;

/** Gives ids to fields, for the lists. */
const nameFields = written(sql`INSERT INTO ${writes('search_field')} (field)
  SELECT DISTINCT came.field FROM (${givenFields}) AS came
    WHERE NOT EXISTS (SELECT 1 FROM search_field WHERE field = came.field)`);

/** Writes the field list of completely written entities. Comparing texts takes a fifth of the time of lists. */
const writeFields = written(sql`INSERT INTO ${writes('search_fields')} (id, fields)
  SELECT given.key, ${idsAmong('given.value')} FROM json_each(${value('json')}) AS given
    WHERE EXISTS (SELECT 1 FROM search_entity WHERE id = CAST(given.key AS INTEGER))
  ON CONFLICT (id) DO UPDATE SET fields = excluded.fields WHERE fields <> excluded.fields`);

/** Adds fields to the list. Lists only grow until an entity is written completely, since old values may remain. */
const addFields = written(sql`INSERT INTO ${writes('search_fields')} (id, fields)
  SELECT came.entity, json_group_array(named.id) FROM (${givenFields}) AS came
    CROSS JOIN search_field AS named ON named.field = came.field
    WHERE EXISTS (SELECT 1 FROM search_entity WHERE id = came.entity)
      AND NOT EXISTS (SELECT 1 FROM search_fields AS kept CROSS JOIN json_each(kept.fields) AS each
        WHERE kept.id = came.entity AND each.value = named.id)
    GROUP BY came.entity
  ON CONFLICT (id) DO UPDATE SET fields = (SELECT json_group_array(field) FROM (
    SELECT each.value AS field FROM json_each(search_fields.fields) AS each
    UNION SELECT value FROM json_each(excluded.fields)))`);

/** Time of creation. NULL: the entity was deleted since its metadata was read, and gets no row. */
const createdAt = sql`COALESCE(
  (SELECT created_at FROM item WHERE id = value ->> 1 AND value ->> 0 < ${sql.raw(String(collectionsFrom))}),
  (SELECT created_at FROM collection WHERE id = value ->> 1 AND value ->> 0 >= ${sql.raw(String(collectionsFrom))}))`;

const writeEntities = written(sql`INSERT INTO ${writes('search_entity')} (id, entity_id, created_at, timed)
  SELECT value ->> 0, value ->> 1, ${createdAt}, value ->> 2 FROM json_each(${value('json')})
    WHERE NOT EXISTS (SELECT 1 FROM search_entity WHERE id = value ->> 0 AND timed = value ->> 2) AND ${createdAt} IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET timed = excluded.timed`);

const writeTexts = written(sql`INSERT OR REPLACE INTO ${writes('search_text')} (rowid, gw, gp, gk, tw, tp, tk)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(${value('json')}) WHERE EXISTS (SELECT 1 FROM search_entity WHERE id = value ->> 0) ORDER BY value ->> 0`);

const insertWords = written(
  sql`INSERT OR IGNORE INTO ${writes('search_term')} (word) SELECT value FROM json_each(${value('json')})`,
);

/** Index in the database of the service. Rows change in the transaction of the metadata. */
export const embeddedIndex: EmbeddedIndex = { apply };

function apply(
  batch: readonly EmbeddedDoc[],
  lacking?: (words: ReadonlySet<string>) => readonly string[],
): readonly Statement[] {
  // Sorted by number: any other order costs the engine fourteen times as much.
  const docs = batch.toSorted((one, other) => one.id - other.id);
  if (docs.length === 0) return [];
  const { whole, fields, left, come, placed, added } = valueRowsOf(docs);
  const words = lacking
    ? lacking(wordsThatCome(docs, added))
    : [...new Set(docs.flatMap((doc) => [...everyWord(doc)]))];
  const several = severalIn(docs);
  const [someWhole, somePart] = [whole.length > 0, whole.length < docs.length];
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
    // Deleted entities get no row here, and none in the other tables.
    writeEntities(JSON.stringify(entities)),
    countChanges({ whole: JSON.stringify(whole), left, come }),
    ...(someWhole ? removeKept.map((remove) => remove(JSON.stringify(whole))) : []),
    ...(somePart ? removeGiven.map((remove) => remove(left)) : []),
    insertValues(come),
    insertGiven(placed),
    ...(several.length > 0 ? [tellSeveral(JSON.stringify(several))] : []),
    nameFields(placed),
    ...(someWhole ? [writeFields(fields)] : []),
    ...(somePart ? [addFields(placed)] : []),
    writeTexts(JSON.stringify(texts)),
    ...tellIndexes(docs.map(({ id }) => id)),
    ...(words.length > 0 ? [insertWords(JSON.stringify(words))] : []),
  ];
}

/** Fields with several values in some entity. */
function severalIn(docs: readonly EmbeddedDoc[]): readonly number[] {
  const repeatedFields = new Set<number>();
  for (const { values } of docs) {
    const seen = new Set<number>();
    for (const { field } of values) {
      if (seen.has(field)) repeatedFields.add(field);
      else seen.add(field);
    }
  }
  return [...repeatedFields];
}
