import type Database from 'libsql';
import { loadFields } from '../../../src/assets/definitions/known.ts';
import { stateOfText } from '../../../src/assets/metadata/merge/stored.ts';
import type { EmbeddedDoc } from '../../../src/assets/search/index/document.ts';
import { indexDocOf } from '../../../src/assets/search/index/document.ts';
import { numberOf } from '../../../src/assets/search/index/keys.ts';
import { embeddedIndex } from '../../../src/assets/search/index/store.ts';
import type { Row, SqlValue } from '../../../src/core/store/contract.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import { fieldNames } from './content.ts';
import type { ItemMarks, RowTemplate } from './row-templates.ts';

/** The binding keeps every number as a float unless it gets a bigint. */
export const bound = (value: SqlValue): SqlValue | bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

export const readerOf = (database: Database.Database): Reader => ({
  read: (sql, args = []) => database.prepare(sql).raw(true).all(args.map(bound)) as Row[],
});

const perIndexBatch = 1000;
const perTransaction = 20_000;

/** Writes items by the engine itself, in the order of their numbers: the rows of the templates, and those of the index. */
export async function writeItems(
  database: Database.Database,
  templates: readonly RowTemplate[],
  items: Iterable<ItemMarks>,
): Promise<void> {
  const system = ['created', 'mediaType', 'itemId', 'user', 'shapeTag'];
  const fields = await loadFields(readerOf(database), [...fieldNames, ...system]);
  const rows = templates.map(({ table, columns, slots }) => {
    const places = columns.map(() => '?').join(', ');
    const statement = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
    return { statement, slots, doc: table === 'metadata_state' ? columns.indexOf('doc') : -1 };
  });
  const index = new Map<string, Database.Statement>();
  let docs: EmbeddedDoc[] = [];
  let written = 0;
  const writeIndex = () => {
    for (const { sql, args } of embeddedIndex.apply(docs)) {
      const statement = index.get(sql) ?? database.prepare(sql);
      index.set(sql, statement);
      statement.run(args.map(bound));
    }
    docs = [];
  };
  database.exec('BEGIN');
  for (const marks of items) {
    for (const { statement, slots, doc } of rows) {
      const values = slots.map((slot) => slot(marks));
      statement.run(values.map(bound));
      if (doc < 0) continue;
      const state = stateOfText(String(values[doc]));
      docs.push(await indexDocOf(numberOf('item', marks.id), marks.id, state, fields));
    }
    if (docs.length === perIndexBatch) writeIndex();
    if (++written % perTransaction === 0) database.exec('COMMIT; BEGIN');
  }
  writeIndex();
  database.exec('COMMIT');
}

/** All rows of an item, without what is another number or another time in each. */
export function rowsOf(database: Database.Database, { id, serial }: ItemMarks): string {
  const read = (sql: string) => database.prepare(sql).raw(true).all([id]) as Row[];
  const numbered = (sql: string) =>
    database
      .prepare(sql)
      .raw(true)
      .all([BigInt(serial)]) as Row[];
  const rows = [
    read('SELECT * FROM item WHERE id = ?'),
    read(`SELECT * FROM access_entry WHERE entity_type = 'item' AND entity_id = ? ORDER BY id`),
    read(`SELECT * FROM collection_member WHERE member_type = 'item' AND member_id = ?`),
    read(`SELECT * FROM metadata_state WHERE owner_type = 'item' AND owner_id = ?`),
    read(`SELECT * FROM metadata_change_set WHERE owner_type = 'item' AND owner_id = ? ORDER BY serial`),
    read('SELECT * FROM shape WHERE item_id = ?'),
    read('SELECT * FROM shape_tagged WHERE item_id = ? ORDER BY position'),
    read('SELECT * FROM component WHERE shape_id = (SELECT id FROM shape WHERE item_id = ?)'),
    read('SELECT id, kind, key FROM access_context WHERE id = (SELECT context FROM item WHERE id = ?)'),
    numbered('SELECT * FROM search_entity WHERE id = ?'),
    numbered('SELECT field, val, spans, folded FROM search_value WHERE entity = ? ORDER BY field, val'),
    numbered('SELECT field, tie > 0, key FROM search_order WHERE abs(tie) = ? ORDER BY 1, 2'),
    numbered('SELECT fields FROM search_fields WHERE id = ?'),
    numbered('SELECT id FROM search_text_docsize WHERE id = ?'),
    numbered('SELECT sz FROM search_text_docsize WHERE id = ?').map(([sizes]) => [
      Buffer.from(sizes as Uint8Array).toString('hex'),
    ]),
  ];
  return JSON.stringify(rows)
    .replaceAll(/\b2\d{3}-\d\d-\d\dT[\d:.]+Z/g, (text) => (isRecent(Date.parse(text)) ? 'time' : text))
    .replaceAll(/\b1\d{12}\b/g, (text) => (isRecent(Number(text)) ? 'time' : text))
    .replaceAll(new RegExp(`"${id}"|\\b${serial}\\b`, 'g'), 'id')
    .replaceAll(/\b[5-8][0-9]\d{5}\b/g, 'id')
    .replaceAll(/,(?:\d+|id),"[\da-f]{8}-[\da-f-]{27}"/g, ',position,"reference"')
    .replace(/^\[\[\[.*?\]\]|\[\[\d+,"item",/g, 'context');
}

const since = Date.now() - 86_400_000;
const isRecent = (time: number): boolean => time > since;
