import { before, deleted, inserted, triggers } from '../../../core/store/triggers-sql.ts';
import { anyKey, collectionsAboveSql, groupsAboveSql, quotaCriteria } from './criteria-sql.ts';
import { isNew } from './triggers-sql.ts';

/**
 * Triggers for rows that say one thing of one item. They count it for those rules alone that ask for that: what it
 * counts for others stays. `triggers-sql.ts` has those for all other changes.
 */

const isRuled = 'EXISTS (SELECT 1 FROM "quota_rule")';

interface Narrow {
  readonly name: string;
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The column with the id of the item. */
  readonly item: string;
  readonly when?: (row: string) => string;
  /** False where no rule can ask for the row: a few look-ups, that most rows end with. */
  readonly isAsked: (row: string) => string;
  /** Ids of the rules that the row may affect. */
  readonly rules: (row: string) => string;
  /** Further rows by which the item may match these rules. */
  readonly others: (row: string) => string;
}

const anyOf = (...queries: readonly string[]): string =>
  `(${queries.map((query) => `EXISTS (${query})`).join(' OR ')})`;

const rulesWith = (column: string, values: string): string =>
  `SELECT "id" FROM "quota_rule" WHERE "${column}" IN (${values})`;

/** Groups of the row's owner, joined with the result of `above`. */
const ownGroups = (row: string, above: string): string =>
  `SELECT 1 FROM "group_user" AS "own" CROSS JOIN ${above} WHERE "own"."user_id" = ${row}."user_id"`;

const narrow: readonly Narrow[] = [
  {
    ...{ name: 'owner', table: 'access_entry', key: ['entity_type', 'entity_id', 'id'], item: 'entity_id' },
    when: (row) => `${row}."entity_type" = 'item' AND ${row}."permission" = 'OWNER'`,
    isAsked: (row) =>
      anyOf(
        rulesWith('user_id', `${row}."user_id"`),
        ownGroups(row, '"quota_rule" AS "above" ON "above"."group_id" = "own"."group_id"'),
        ownGroups(row, '"group_group" AS "above" ON "above"."child_id" = "own"."group_id"'),
      ),
    rules: (row) => `${rulesWith('user_id', `${row}."user_id"`)}
         UNION ${rulesWith('group_id', groupsAboveSql(`SELECT "group_id" FROM "group_user" WHERE "user_id" = ${row}."user_id"`))}`,
    others: (row) => `SELECT 1 FROM "access_entry"
         WHERE "entity_type" = 'item' AND "entity_id" = ${row}."entity_id" AND "permission" = 'OWNER'`,
  },
  {
    ...{ name: 'member', table: 'collection_member', item: 'member_id' },
    key: ['collection_id', 'member_type', 'member_id'],
    when: (row) => `${row}."member_type" = 'item'`,
    isAsked: (row) =>
      anyOf(
        rulesWith('collection_id', `${row}."collection_id"`),
        `SELECT 1 FROM "collection_member" WHERE "member_type" = 'collection' AND "member_id" = ${row}."collection_id"`,
      ),
    rules: (row) => rulesWith('collection_id', collectionsAboveSql(`SELECT ${row}."collection_id"`)),
    others: (row) => `SELECT 1 FROM "collection_member"
         WHERE "member_type" = 'item' AND "member_id" = ${row}."member_id"`,
  },
  {
    ...{ name: 'kept', table: 'library_item', key: ['library_id', 'item_serial', 'item_id'], item: 'item_id' },
    isAsked: (row) => anyOf(rulesWith('library_id', `${row}."library_id"`)),
    rules: (row) => rulesWith('library_id', `${row}."library_id"`),
    others: (row) => `SELECT 1 FROM "library_item"
         WHERE "item_id" = ${row}."item_id" AND "library_id" = ${row}."library_id"`,
  },
  {
    ...{ name: 'tag', table: 'shape_tagged', key: ['shape_id', 'tag'], item: 'item_id' },
    isAsked: (row) => anyOf(rulesWith('tag', `${row}."tag"`)),
    rules: (row) => rulesWith('tag', `${row}."tag"`),
    others: (row) => `SELECT 1 FROM "shape_tagged" WHERE "item_id" = ${row}."item_id" AND "tag" = ${row}."tag"`,
  },
];

const columns = Object.values(quotaCriteria).map(({ column }) => column);
/** Condition that a rule has a single criterion, by which it was found. */
const hasOne = `${columns.map((column) => `("${column}" IS NULL)`).join(' + ')} = ${columns.length - 1}`;

/** `isThere`: whether the row exists, so that the item matches a rule with no other criterion. */
function counting(item: string, sign: string, rules: string, isThere: boolean): string {
  const items = `(SELECT count(*) FROM "quota_counted_item" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."item_id" = ${item})`;
  const bytes = `(SELECT coalesce(sum("counted"."size"), 0) FROM "quota_counted_file" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."file_id" IN
               (SELECT "file_id" FROM "file_use" WHERE "item_id" = ${item}))`;
  const one = `"item_limit" IS NOT NULL AND EXISTS (SELECT 1 FROM "item" WHERE "id" = ${item})`;
  const hasFiles = `EXISTS (SELECT 1 FROM "file_use" WHERE "item_id" = ${item})`;
  return `UPDATE "quota_rule" SET
           "items" = "items" ${sign} ${isThere ? `CASE WHEN ${hasOne} THEN ${one} ELSE ${items} END` : items},
           "bytes" = "bytes" ${sign} ${isThere ? `CASE WHEN ${hasFiles} THEN ${bytes} ELSE 0 END` : bytes}
         WHERE "id" IN (${rules})`;
}

function triggersOf(narrowed: Narrow): readonly string[] {
  const { name, table, key, item, when, isAsked, rules, others } = narrowed;
  const counted = (sign: string, isThere: boolean) => (row: string) =>
    counting(`${row}."${item}"`, sign, rules(row), isThere);
  const concerns = (row: string): string => [isRuled, ...(when ? [when(row)] : []), isAsked(row)].join(' AND ');
  // Without the row: the item counts by another one, or another item has one of its files.
  const mayCount = (row: string): string =>
    `(EXISTS (${others(row)}) OR EXISTS (SELECT 1 FROM "file_use" WHERE "item_id" = ${row}."${item}"))`;
  const concernsYet = (row: string): string => `${concerns(row)} AND ${mayCount(row)}`;
  const comes = (row: string): string => `${concernsYet(row)} AND ${isNew(table, key)}`;
  return triggers({
    [`quota_${name}_made_before`]: before(inserted(table, counted('-', false), comes)),
    [`quota_${name}_made_after`]: inserted(table, counted('+', true), concerns),
    [`quota_${name}_gone_before`]: before(deleted(table, counted('-', true), concerns)),
    [`quota_${name}_gone_after`]: deleted(table, counted('+', false), concernsYet),
  });
}

/** Rows that are older than their item. */
const isOlder = `(EXISTS (SELECT 1 FROM "access_entry" WHERE "entity_type" = 'item' AND "entity_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "collection_member" WHERE "member_type" = 'item' AND "member_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "library_item" WHERE "item_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "shape_tagged" WHERE "item_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "file_use" WHERE "item_id" = NEW."id"))`;

/** A new item is mostly known by nothing: it counts for rules without criteria. */
const newItem = () =>
  inserted(
    'item',
    [
      `UPDATE "quota_rule" SET "items" = "items" + 1
         WHERE "key" = '${anyKey}' AND "item_limit" IS NOT NULL AND NOT ${isOlder}`,
      `INSERT INTO "quota_counting" SELECT json_array(NEW."id"), '[]', 1 WHERE ${isOlder}`,
    ],
    `(EXISTS (SELECT 1 FROM "quota_rule" WHERE "key" = '${anyKey}') OR (${isRuled} AND ${isOlder}))`,
  );

/**
 * A row that no rule asks for ends with a few look-ups. Most rules have one criterion: an item that has just satisfied it
 * needs no look at the others. A new item has no files.
 */
export const narrowSchema = (): readonly string[] => [
  ...narrow.flatMap(triggersOf),
  ...triggers({ quota_item_made_after: newItem() }),
];
