import { conditionsOf } from './conditions-sql.ts';
import {
  anyKey,
  collectionsAbove,
  fileCriteria,
  groupsAbove,
  itemCriteria,
  keyOf,
  tagCriterion,
} from './criteria-sql.ts';

/**
 * Usage is kept by triggers, so that nothing that changes what counts can forget it. Before and after each change of a
 * row they take away and add what the entities that it concerns count for a rule. Without rules they do nothing.
 */

const isRuled = 'EXISTS (SELECT 1 FROM "quota_rule")';

const given = (list: 'items' | 'files'): string => `SELECT value FROM json_each(NEW."${list}")`;
/** With the items that have one of the files. */
const items = `${given('items')} UNION SELECT "item_id" FROM "file_use" WHERE "file_id" IN (${given('files')})`;
/** With all files of the items, because an item counts by one of them. */
const allFiles = `${given('files')} UNION SELECT "file_id" FROM "file_use" WHERE "item_id" IN (${given('items')})`;

/** What rules are found by that some items or `files` satisfy. */
const keysOf = (files: string): readonly string[] =>
  [
    ...Object.entries({ ...itemCriteria, tag: tagCriterion }).map(
      ([name, row]) => [name, row.valuesOf(items)] as const,
    ),
    ...Object.entries(fileCriteria).map(([name, row]) => [name, row.valuesOf(files)] as const),
  ].map(([name, values]) => `SELECT '${keyOf(name as 'tag', '')}' || "id" FROM (${values})`);

const any = conditionsOf('"rule"');

const countedItem = `CREATE VIEW "quota_counted_item" ("rule_id", "item_id") AS
       SELECT "rule"."id", "item"."id" FROM "quota_rule" AS "rule" JOIN "item"
       WHERE "rule"."item_limit" IS NOT NULL AND ${any.itemCounts('"item"."id"')}`;

const countedFile = `CREATE VIEW "quota_counted_file" ("rule_id", "file_id", "size") AS
       SELECT "rule"."id", "file"."id", "file"."size" FROM "quota_rule" AS "rule" JOIN "file"
       WHERE "rule"."storage_limit" IS NOT NULL AND ${any.fileCounts('"file"')}`;

/** A view without rows, whose trigger is called by others. `files`: those whose places rules ask for. */
const counting = (view: string, trigger: string, files: string): readonly string[] => [
  `CREATE VIEW "${view}" ("items", "files", "sign") AS SELECT NULL, NULL, 0`,
  `CREATE TRIGGER "${trigger}" INSTEAD OF INSERT ON "${view}" BEGIN
       UPDATE "quota_rule" SET
           "items" = "items" + NEW."sign" * (SELECT count(*) FROM "quota_counted_item" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."item_id" IN (${given('items')})),
           "bytes" = "bytes" + NEW."sign" * (SELECT coalesce(sum("counted"."size"), 0) FROM "quota_counted_file" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."file_id" IN (${given('files')}))
         WHERE "key" IN (SELECT '${anyKey}' UNION ALL ${keysOf(files).join(' UNION ALL ')});
     END`,
];

interface Watched {
  readonly name: string;
  readonly table: string;
  readonly when?: (row: string) => string;
  /** What a change concerns, as JSON. `rows`: the row before an update and behind it, or the only one. */
  readonly items: (rows: readonly string[]) => string;
  readonly files: (rows: readonly string[]) => string;
  /** Columns whose update matters. */
  readonly columns?: readonly string[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** When what a new row concerns may have counted before it. Left out: always. False: never. */
  readonly countedBefore?: string | false;
}

const idsIn = (column: string) => (rows: readonly string[]) => rows.map((row) => `${row}."${column}"`).join(', ');
const listOf = (column: string) => (rows: readonly string[]) => `json_array(${idsIn(column)(rows)})`;
const filesOf = (column: string) => (rows: readonly string[]) =>
  `(SELECT json_group_array("file_id") FROM "file_use" WHERE "item_id" IN (${idsIn(column)(rows)}))`;
const itemsOf = (column: string) => (rows: readonly string[]) =>
  `(SELECT json_group_array("item_id") FROM "file_use" WHERE "file_id" IN (${idsIn(column)(rows)}))`;
const isOwner = (row: string): string => `${row}."entity_type" = 'item' AND ${row}."permission" = 'OWNER'`;
const isItem = (row: string): string => `${row}."member_type" = 'item'`;

const isUsed = 'EXISTS (SELECT 1 FROM "file_use" WHERE "file_id" = NEW."id")';

const watched: readonly Watched[] = [
  { name: 'item', table: 'item', countedBefore: false, key: ['id'], items: listOf('id'), files: () => `'[]'` },
  {
    ...{ name: 'owner', table: 'access_entry', when: isOwner, columns: ['user_id', 'permission'] },
    ...{ key: ['entity_type', 'entity_id', 'id'], items: listOf('entity_id'), files: filesOf('entity_id') },
  },
  {
    ...{ name: 'member', table: 'collection_member', when: isItem },
    ...{ key: ['collection_id', 'member_type', 'member_id'], items: listOf('member_id'), files: filesOf('member_id') },
  },
  {
    ...{ name: 'kept', table: 'library_item', key: ['library_id', 'item_serial', 'item_id'] },
    ...{ items: listOf('item_id'), files: filesOf('item_id') },
  },
  {
    ...{ name: 'tag', table: 'shape_tagged', key: ['shape_id', 'tag'], columns: ['tag', 'item_id'] },
    ...{ items: listOf('item_id'), files: filesOf('item_id') },
  },
  {
    ...{ name: 'use', table: 'file_use', key: ['file_id', 'component_id'], columns: ['item_id', 'shape_id'] },
    ...{ items: listOf('item_id'), files: listOf('file_id') },
  },
  {
    ...{ name: 'file', table: 'file', countedBefore: isUsed, key: ['id'], columns: ['state', 'size', 'storage_id'] },
    ...{ items: itemsOf('id'), files: listOf('id') },
  },
];

const changesOf = (columns: readonly string[] | undefined) => [
  { change: 'INSERT', word: 'made', rows: ['NEW'] },
  { change: 'DELETE', word: 'gone', rows: ['OLD'] },
  ...(columns ? [{ change: `UPDATE OF ${columns.join(', ')}`, word: 'changed', rows: ['OLD', 'NEW'] }] : []),
];

/** An insert that does nothing, because the row is there, fires triggers before it and none after it. */
const isNew = (table: string, key: readonly string[]): string =>
  `NOT EXISTS (SELECT 1 FROM "${table}" WHERE ${key.map((column) => `"${column}" = NEW."${column}"`).join(' AND ')})`;

const times = [
  ['BEFORE', -1],
  ['AFTER', 1],
] as const;

function triggersOf(row: Watched, view = 'quota_counting'): readonly string[] {
  const { name, table, key, when, columns, items: ofItems, files: ofFiles, countedBefore = 'TRUE' } = row;
  return changesOf(columns).flatMap(({ change, word, rows }) => {
    const differs = columns?.map((column) => `OLD."${column}" IS NOT NEW."${column}"`) ?? [];
    const conditions = [
      isRuled,
      ...(rows.length > 1 ? [`(${differs.join(' OR ')})`] : []),
      ...(when ? [`(${rows.map(when).join(' OR ')})`] : []),
    ];
    return times.flatMap(([time, sign]) => {
      const isFirst = time === 'BEFORE' && change === 'INSERT';
      if (isFirst && countedBefore === false) return [];
      return `CREATE TRIGGER "quota_${name}_${word}_${time.toLowerCase()}" ${time} ${change} ON "${table}"
       WHEN ${[...conditions, ...(isFirst ? [countedBefore, isNew(table, key)] : [])].join(' AND ')} BEGIN
       INSERT INTO "${view}" VALUES (${ofItems(rows)}, ${ofFiles(rows)}, ${sign});
     END`;
    });
  });
}

/** Changes that may concern any number of items. The rules are counted again, before anybody reads them. */
const markedBy: readonly {
  readonly table: string;
  readonly when?: (row: string) => string;
  readonly rules: (row: string) => string;
}[] = [
  {
    table: 'collection_member',
    when: (row) => `${row}."member_type" = 'collection'`,
    rules: (row) => `"collection_id" IN (${collectionsAbove(`SELECT ${row}."collection_id"`)})`,
  },
  {
    table: 'group_user',
    when: (row) =>
      `EXISTS (SELECT 1 FROM "access_entry" WHERE "user_id" = ${row}."user_id" AND "entity_type" = 'item' AND "permission" = 'OWNER')`,
    rules: (row) => `"group_id" IN (${groupsAbove(`SELECT ${row}."group_id"`)})`,
  },
  {
    table: 'group_group',
    rules: (row) => `"group_id" IN (${groupsAbove(`SELECT ${row}."parent_id"`)})`,
  },
  { table: 'storage_group_member', rules: (row) => `"storage_group" = ${row}."group_name"` },
];

const marks = markedBy.flatMap(({ table, when, rules }) =>
  (
    [
      ['INSERT', 'NEW', 'made'],
      ['DELETE', 'OLD', 'gone'],
    ] as const
  ).map(
    ([change, row, word]) => `CREATE TRIGGER "quota_${table}_${word}" AFTER ${change} ON "${table}"
       WHEN ${[isRuled, ...(when ? [when(row)] : [])].join(' AND ')} BEGIN
       UPDATE "quota_rule" SET "marked" = "marked" + 1 WHERE ${rules(row)};
     END`,
  ),
);

/** Views before the triggers that use them. */
export const countingSchema: readonly string[] = [
  countedItem,
  countedFile,
  ...counting('quota_counting', 'quota_count', allFiles),
  ...watched.flatMap((row) => triggersOf(row)),
  ...marks,
];

const uses = watched.find(({ name }) => name === 'use')!;

/**
 * Takes the place of the triggers of uses. By a use an item begins or ceases to count for the rules of that file: the
 * places of all other files of the item, which may be thousands, say nothing.
 */
export const oneFileSchema: readonly string[] = [
  ...counting('quota_counting_file', 'quota_count_file', given('files')),
  ...triggersOf(uses, 'quota_counting_file').flatMap((trigger) => [
    `DROP TRIGGER ${/"quota_use_\w+"/.exec(trigger)![0]}`,
    trigger,
  ]),
];
