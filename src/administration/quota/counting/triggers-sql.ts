import { before, deleted, inserted, triggers, updated } from '../../../core/store/triggers-sql.ts';
import {
  anyKey,
  collectionsAboveSql,
  conditionsOf,
  criterionKey,
  fileCriteria,
  groupsAboveSql,
  itemCriteria,
  tagCriterion,
} from './criteria-sql.ts';

/**
 * Usage is kept by triggers, so that nothing that changes what counts can forget it. Before and after each change of a
 * row they take away and add what the entities that it concerns count for a rule. Without rules they do nothing.
 */

const isRuled = 'EXISTS (SELECT 1 FROM "quota_rule")';

const valuesOfNew = (list: 'items' | 'files'): string => `SELECT value FROM json_each(NEW."${list}")`;
/** With the items that have one of the files. */
const items = `${valuesOfNew('items')} UNION SELECT "item_id" FROM "file_use" WHERE "file_id" IN (${valuesOfNew('files')})`;
/** With all files of the items, because an item counts by one of them. */
const allFiles = `${valuesOfNew('files')} UNION SELECT "file_id" FROM "file_use" WHERE "item_id" IN (${valuesOfNew('items')})`;

/** Keys of the rules that the given items or `files` match. */
const keysOf = (files: string): readonly string[] =>
  [
    ...Object.entries({ ...itemCriteria, tag: tagCriterion }).map(
      ([name, row]) => [name, row.valuesOf(items)] as const,
    ),
    ...Object.entries(fileCriteria).map(([name, row]) => [name, row.valuesOf(files)] as const),
  ].map(([name, values]) => `SELECT '${criterionKey(name as 'tag', '')}' || "id" FROM (${values})`);

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
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."item_id" IN (${valuesOfNew('items')})),
           "bytes" = "bytes" + NEW."sign" * (SELECT coalesce(sum("counted"."size"), 0) FROM "quota_counted_file" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."file_id" IN (${valuesOfNew('files')}))
         WHERE "key" IN (SELECT '${anyKey}' UNION ALL ${keysOf(files).join(' UNION ALL ')});
     END`,
];

interface Watched {
  readonly name: string;
  readonly table: string;
  readonly when?: (row: string) => string;
  /** Items and files of a change, as JSON. `rows`: the row before an update and after it, or the only one. */
  readonly items: (rows: readonly string[]) => string;
  readonly files: (rows: readonly string[]) => string;
  readonly on: readonly Change[];
  /** Columns whose update matters. */
  readonly columns?: readonly string[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** When a new row may concern something that counted before it. Left out: always. */
  readonly countedBefore?: string;
  /** Left out: `quota_counting`. */
  readonly view?: string;
}

type Change = 'INSERT' | 'DELETE' | 'UPDATE';

const idsIn = (column: string) => (rows: readonly string[]) => rows.map((row) => `${row}."${column}"`).join(', ');
const listOf = (column: string) => (rows: readonly string[]) => `json_array(${idsIn(column)(rows)})`;
const filesOf = (column: string) => (rows: readonly string[]) =>
  `(SELECT json_group_array("file_id") FROM "file_use" WHERE "item_id" IN (${idsIn(column)(rows)}))`;
const itemsOf = (column: string) => (rows: readonly string[]) =>
  `(SELECT json_group_array("item_id") FROM "file_use" WHERE "file_id" IN (${idsIn(column)(rows)}))`;
const isOwner = (row: string): string => `${row}."entity_type" = 'item' AND ${row}."permission" = 'OWNER'`;

const isUsed = 'EXISTS (SELECT 1 FROM "file_use" WHERE "file_id" = NEW."id")';

/** `narrow-sql.ts` has the other changes of items, owners and tags. */
const watched: readonly Watched[] = [
  { name: 'item', table: 'item', on: ['DELETE'], key: ['id'], items: listOf('id'), files: () => `'[]'` },
  {
    ...{ name: 'owner', table: 'access_entry', on: ['UPDATE'], when: isOwner, columns: ['user_id', 'permission'] },
    ...{ key: ['entity_type', 'entity_id', 'id'], items: listOf('entity_id'), files: filesOf('entity_id') },
  },
  {
    ...{ name: 'tag', table: 'shape_tagged', on: ['UPDATE'], key: ['shape_id', 'tag'], columns: ['tag', 'item_id'] },
    ...{ items: listOf('item_id'), files: filesOf('item_id') },
  },
  {
    // By a use an item begins or ceases to count for the rules of that file. Its other files, maybe thousands, say nothing.
    ...{ name: 'use', table: 'file_use', on: ['INSERT', 'DELETE', 'UPDATE'], view: 'quota_counting_file' },
    ...{ key: ['file_id', 'component_id'], columns: ['item_id', 'shape_id'] },
    ...{ items: listOf('item_id'), files: listOf('file_id') },
  },
  {
    ...{ name: 'file', table: 'file', on: ['INSERT', 'DELETE', 'UPDATE'], countedBefore: isUsed },
    ...{ key: ['id'], columns: ['state', 'size', 'storage_id'], items: itemsOf('id'), files: listOf('id') },
  },
];

/** An insert that does nothing, because the row is there, fires triggers before it and none after it. */
export const isNew = (table: string, key: readonly string[]): string =>
  `NOT EXISTS (SELECT 1 FROM "${table}" WHERE ${key.map((column) => `"${column}" = NEW."${column}"`).join(' AND ')})`;

function triggersOf(row: Watched): readonly string[] {
  const { name, table, on, key, when, columns = [], countedBefore = 'TRUE', view = 'quota_counting' } = row;
  const update = (of: string, does: string, condition: string) => updated(of, columns.join(', '), does, condition);
  const changes = {
    INSERT: ['made', inserted, ['NEW']],
    DELETE: ['gone', deleted, ['OLD']],
    UPDATE: ['changed', update, ['OLD', 'NEW']],
  } as const;
  return on.flatMap((change) => {
    const [word, follow, rows] = changes[change];
    const differs = columns.map((column) => `OLD."${column}" IS NOT NEW."${column}"`);
    const conditions = [
      isRuled,
      ...(change === 'UPDATE' ? [`(${differs.join(' OR ')})`] : []),
      ...(when ? [`(${rows.map(when).join(' OR ')})`] : []),
    ].join(' AND ');
    const first = change === 'INSERT' ? `${conditions} AND ${countedBefore} AND ${isNew(table, key)}` : conditions;
    const counted = (sign: number) => `INSERT INTO "${view}" VALUES (${row.items(rows)}, ${row.files(rows)}, ${sign})`;
    return triggers({
      [`quota_${name}_${word}_before`]: before(follow(table, counted(-1), first)),
      [`quota_${name}_${word}_after`]: follow(table, counted(1), conditions),
    });
  });
}

/** Changes that may concern any number of items. Their rules are recounted before the next read. */
const markedBy: readonly {
  readonly table: string;
  readonly when?: (row: string) => string;
  readonly rules: (row: string) => string;
}[] = [
  {
    table: 'collection_member',
    when: (row) => `${row}."member_type" = 'collection'`,
    rules: (row) => `"collection_id" IN (${collectionsAboveSql(`SELECT ${row}."collection_id"`)})`,
  },
  {
    table: 'group_user',
    when: (row) =>
      `EXISTS (SELECT 1 FROM "access_entry" WHERE "user_id" = ${row}."user_id" AND "entity_type" = 'item' AND "permission" = 'OWNER')`,
    rules: (row) => `"group_id" IN (${groupsAboveSql(`SELECT ${row}."group_id"`)})`,
  },
  {
    table: 'group_group',
    rules: (row) => `"group_id" IN (${groupsAboveSql(`SELECT ${row}."parent_id"`)})`,
  },
  { table: 'storage_group_member', rules: (row) => `"storage_group" = ${row}."group_name"` },
];

const marks = (): readonly string[] =>
  markedBy.flatMap(({ table, when, rules }) => {
    const marked = (row: string) => `UPDATE "quota_rule" SET "marked" = "marked" + 1 WHERE ${rules(row)}`;
    const concerns = (row: string) => [isRuled, ...(when ? [when(row)] : [])].join(' AND ');
    return triggers({
      [`quota_${table}_made`]: inserted(table, marked, concerns),
      [`quota_${table}_gone`]: deleted(table, marked, concerns),
    });
  });

/** Views before the triggers that use them. */
export const countingSchema = (): readonly string[] => [
  countedItem,
  countedFile,
  ...counting('quota_counting', 'quota_count', allFiles),
  ...counting('quota_counting_file', 'quota_count_file', valuesOfNew('files')),
  ...watched.flatMap(triggersOf),
  ...marks(),
];
