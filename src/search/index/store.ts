import type { Statement } from '../../store/contract.ts';
import { tellIndexes } from '../feed/store.ts';
import { collectionsFrom } from './numbers.ts';
import type { EmbeddedIndex, IndexDoc } from './port.ts';

/** The values that are no longer those of the entities. */
const removeValues = `DELETE FROM search_value WHERE (field, entity, val) IN
  (SELECT pair.value ->> 0, search_rows.id, pair.value ->> 1
    FROM json_each(?) AS given CROSS JOIN search_rows ON search_rows.id = given.value
    CROSS JOIN json_each(search_rows.rows) AS pair)`;

/** The places of entities in the order of fields. `name`, `entity` and `key` are SQL. */
const places = (from: string, entity: string, key: string): string =>
  ([0, 1] as const)
    .map(
      (way) => `SELECT ordered.field, ${way}, ${way === 0 ? 'min' : 'max'}(${key}), ${way === 0 ? '-' : ''}${entity}
    FROM search_ordered AS ordered CROSS JOIN ${from} GROUP BY ordered.field, ${entity}`,
    )
    .join(' UNION ALL ');

/** `?1`: the values of the entities from now on. */
const newPlaces = (where = ''): string =>
  places(
    `json_each(?1) AS given ON given.value ->> 0 = ordered.field${where}`,
    '(given.value ->> 1)',
    'COALESCE(given.value ->> 4, given.value ->> 2)',
  );

/** `?2`: the entities. Those that stay where they are cost no write. */
const removePlaces = `DELETE FROM search_order WHERE (field, way, key, tie) IN (SELECT * FROM (${places(
  'json_each(?2) AS given CROSS JOIN search_value AS had ON had.field = ordered.field AND had.entity = given.value',
  'given.value',
  'COALESCE(had.folded, had.val)',
)}) EXCEPT SELECT * FROM (${newPlaces()}))`;

const insertPlaces = `INSERT OR IGNORE INTO search_order (field, way, key, tie) ${newPlaces(" WHERE ordered.state <> 'leaving'")}`;

const insertValues = `INSERT INTO search_value (field, entity, val, spans, folded)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE TRUE
  ON CONFLICT (field, entity, val) DO UPDATE SET spans = excluded.spans, folded = excluded.folded`;

const writeRows = `INSERT INTO search_rows (id, rows)
  SELECT value ->> 0, value -> 1 FROM json_each(?) WHERE TRUE
  ON CONFLICT (id) DO UPDATE SET rows = excluded.rows`;

/** The entity may have gone since its metadata was read: then it stays out. */
const there = `COALESCE(
  (SELECT created_at FROM item WHERE id = value ->> 1 AND value ->> 0 < ${collectionsFrom}),
  (SELECT created_at FROM collection WHERE id = value ->> 1 AND value ->> 0 >= ${collectionsFrom}))`;

const writeEntities = `INSERT INTO search_entity (id, entity_id, created_at, timed)
  SELECT value ->> 0, value ->> 1, ${there}, value ->> 2 FROM json_each(?) WHERE ${there} IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET timed = excluded.timed`;

const writeTexts = `INSERT OR REPLACE INTO search_text (rowid, gw, gp, gk, tw, tp, tk)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(?) ORDER BY value ->> 0`;

const insertWords = `INSERT OR IGNORE INTO search_term (word) SELECT value FROM json_each(?)`;

/** The index in the database of the service. Its rows change in the transaction that changes the metadata. */
export const embeddedIndex: EmbeddedIndex = { apply };

function apply(batch: readonly IndexDoc[]): readonly Statement[] {
  // In the order of their numbers: the engine writes a fourteenth of what any other order costs.
  const docs = batch.toSorted((one, other) => one.id - other.id);
  if (docs.length === 0) return [];
  const ids = JSON.stringify(docs.map(({ id }) => id));
  const words = new Set(docs.flatMap((doc) => [...doc.words]));
  const values = docs.flatMap((doc) =>
    doc.values.map(
      ({ field, json, spans, folded }) =>
        `[${field},${doc.id},${json},${spans}${folded === undefined ? '' : `,${JSON.stringify(folded)}`}]`,
    ),
  );
  const rows = docs.map(
    ({ id, values: own }) => `[${id},[${own.map(({ field, json }) => `[${field},${json}]`).join()}]]`,
  );
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
  const written = `[${values.join()}]`;
  return [
    { sql: removePlaces, args: [written, ids] },
    statement(removeValues, ids),
    ...(values.length > 0 ? [statement(insertValues, written), statement(insertPlaces, written)] : []),
    statement(writeRows, `[${rows.join()}]`),
    statement(writeEntities, JSON.stringify(entities)),
    statement(writeTexts, JSON.stringify(texts)),
    ...tellIndexes(ids),
    ...(words.size > 0 ? [statement(insertWords, JSON.stringify([...words]))] : []),
  ];
}

const statement = (sql: string, json: string): Statement => ({ sql, args: [json] });
