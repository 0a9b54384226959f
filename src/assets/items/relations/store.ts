import { getTableColumns, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { guard, mustExist } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, resultColumns, rowBy, updateBy } from '../../../core/store/rows.ts';
import {
  eachOf,
  nearReader,
  oneEntity,
  query,
  type Reader,
  statement,
  value,
  writes,
} from '../../../core/store/statement.ts';
import { preparePageCheck } from '../../../room/entities/key-values/store.ts';

/** Relations between items. `type`: D from source to target, U undirected. */
export const itemRelation = sqliteTable(
  'item_relation',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    source: text('source').notNull(),
    target: text('target').notNull(),
    type: text('type').notNull(),
  },
  (table) => [
    index('item_relation_source').on(table.source, table.serial),
    index('item_relation_target').on(table.target, table.serial),
  ],
);

/** Entity type of relations in key-value metadata. */
export const relationType = 'item-relation';

export const checkRelationPage = preparePageCheck(relationType);

const columns = getTableColumns(itemRelation);
const selected = sql`SELECT ${resultColumns(columns)} FROM item_relation`;

export const findRelation = rowBy(itemRelation, 'id');

export type RelationRow = NonNullable<Awaited<ReturnType<typeof findRelation>>>;

export const relationMustExist = mustExist(itemRelation.id);

/** Direction from the view of the item. A: all. D: directed ones. S, T: outgoing and incoming ones. */
const asSource = sql`source = ${value('item')} AND (${value('direction')} = 'A' OR type = ${value('direction')}
  OR (${value('direction')} = 'S' AND type = 'D'))`;
const asTarget = sql`target = ${value('item')} AND (${value('direction')} = 'A' OR type = ${value('direction')}
  OR (${value('direction')} = 'T' AND type = 'D'))`;
const ofItem = sql`SELECT id FROM item_relation WHERE ${asSource}
  UNION ALL SELECT id FROM item_relation WHERE ${asTarget}`;
/** Condition: the relation has each of the pairs. */
const described = sql`NOT EXISTS (
    SELECT 1 FROM ${eachOf('pairs')} AS pair WHERE NOT EXISTS (
      SELECT 1 FROM key_value WHERE entity_type = ${relationType} AND entity_id = item_relation.id
        AND key = pair.value ->> 0 AND key_value.value = pair.value ->> 1
    )
  )`;

/** Relations of an item that the serving thread looks through itself. */
const few = 500;

const countRelations = query(sql`SELECT count(*) FROM (${ofItem} LIMIT ${few})`, { count: sql<number>`` }).reaching(
  oneEntity,
).first;

interface RelationsPage {
  readonly item: string;
  readonly direction: string;
  readonly pairs: readonly unknown[];
  readonly offset: number;
  readonly limit: number;
}

/** Relations of an item, oldest first. */
export async function relationsOfItem(reader: Reader, { item, direction, ...page }: RelationsPage) {
  const isFew = reader.lookups !== undefined && (await countRelations(reader, { item, direction }))!.count < few;
  return relationRows(nearReader(reader, isFew), { item, direction, ...page });
}

const relationRows = query(
  sql`${selected} WHERE id IN (${ofItem}) AND ${described}
    ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  columns,
);

/** Relations between two items, in either direction. */
export const relationsBetween = query(
  sql`${selected}
    WHERE (source = ${value('one')} AND target = ${value('other')})
      OR (source = ${value('other')} AND target = ${value('one')})
    ORDER BY serial LIMIT ${value('limit')}`,
  columns,
);

/** Guard: no newer relation between the two items. */
export const noneBetweenSince = guard<{ one: string; other: string; serial: number }>(
  sql`NOT EXISTS (SELECT 1 FROM item_relation
    WHERE ((source = ${value('one')} AND target = ${value('other')})
      OR (source = ${value('other')} AND target = ${value('one')})) AND serial > ${value('serial')})`,
);

export const insertRelation = insertInto(itemRelation);

export const turnRelation = updateBy(itemRelation, 'id', 'source', 'target', 'type');

type Removal = { readonly item: string; readonly other: string; readonly direction: string };

const going = sql`SELECT id FROM item_relation WHERE id IN (${ofItem})
  AND (${value('other')} = '' OR source = ${value('other')} OR target = ${value('other')})`;

/** Deletes relations of an item, or between two items. */
const removal = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = ${relationType} AND entity_id IN (${going})`,
  sql`DELETE FROM ${writes('item_relation')} WHERE id IN (${going})`,
].map((template) => statement<Removal>(template));

export const removeRelations = (values: Removal) => removal.map((statement) => statement(values));

export const removeRelationsOf = (item: string) => removeRelations({ item, other: '', direction: 'A' });

export const removeRelationRow = deleteBy(itemRelation, 'id');
