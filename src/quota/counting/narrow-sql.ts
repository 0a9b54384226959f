import { anyKey, collectionsAbove, criteria, groupsAbove } from './criteria-sql.ts';

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
  /** Ids of the rules for which the row may decide. */
  readonly rules: (row: string) => string;
  /** Other rows by which the item may satisfy them. */
  readonly others: (row: string) => string;
}

const anyOf = (...queries: readonly string[]): string =>
  `(${queries.map((query) => `EXISTS (${query})`).join(' OR ')})`;

const rulesWith = (column: string, values: string): string =>
  `SELECT "id" FROM "quota_rule" WHERE "${column}" IN (${values})`;

/** What there is for a group that the owner is a member of. */
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
         UNION ${rulesWith('group_id', groupsAbove(`SELECT "group_id" FROM "group_user" WHERE "user_id" = ${row}."user_id"`))}`,
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
    rules: (row) => rulesWith('collection_id', collectionsAbove(`SELECT ${row}."collection_id"`)),
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

const columns = Object.values(criteria).map(({ column }) => column);
/** Its criterion is the one by which it was found. */
const hasOne = `${columns.map((column) => `("${column}" IS NULL)`).join(' + ')} = ${columns.length - 1}`;

/** `isThere`: the row is, so that the item satisfies what a rule with no other criterion asks for. */
function counting(item: string, sign: string, rules: string, isThere: boolean): string {
  const items = `(SELECT count(*) FROM "quota_counted_item" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."item_id" = ${item})`;
  const bytes = `(SELECT coalesce(sum("counted"."size"), 0) FROM "quota_counted_file" AS "counted"
             WHERE "counted"."rule_id" = "quota_rule"."id" AND "counted"."file_id" IN
               (SELECT "file_id" FROM "file_use" WHERE "item_id" = ${item}))`;
  const one = `"item_limit" IS NOT NULL AND EXISTS (SELECT 1 FROM "item" WHERE "id" = ${item})`;
  const hasFiles = `EXISTS (SELECT 1 FROM "file_use" WHERE "item_id" = ${item})`;
  return `
       UPDATE "quota_rule" SET
           "items" = "items" ${sign} ${isThere ? `CASE WHEN ${hasOne} THEN ${one} ELSE ${items} END` : items},
           "bytes" = "bytes" ${sign} ${isThere ? `CASE WHEN ${hasFiles} THEN ${bytes} ELSE 0 END` : bytes}
         WHERE "id" IN (${rules});`;
}

/** An insert that does nothing, because the row is there, fires triggers before it and none after it. */
const isNew = (table: string, key: readonly string[]): string =>
  `NOT EXISTS (SELECT 1 FROM "${table}" WHERE ${key.map((column) => `"${column}" = NEW."${column}"`).join(' AND ')})`;

/** What later migrations added: see the schemas below. */
interface Since {
  readonly knowsOne?: boolean;
  readonly asksFirst?: boolean;
}

function triggersOf(narrowed: Narrow, { knowsOne = false, asksFirst = false }: Since = {}): readonly string[] {
  const { name, table, key, item, when, isAsked, rules, others } = narrowed;
  const trigger = (row: 'NEW' | 'OLD', time: 'BEFORE' | 'AFTER', more: readonly string[]): string => {
    const [change, word] = row === 'NEW' ? ['INSERT', 'made'] : ['DELETE', 'gone'];
    const isThere = knowsOne && (row === 'NEW') === (time === 'AFTER');
    const isMeant = [...(when ? [when(row)] : []), ...(asksFirst ? [isAsked(row)] : [])];
    const conditions = [isRuled, ...isMeant, ...more].join(' AND ');
    return `CREATE TRIGGER "quota_${name}_${word}_${time.toLowerCase()}" ${time} ${change} ON "${table}"
       WHEN ${conditions} BEGIN${counting(`${row}."${item}"`, time === 'BEFORE' ? '-' : '+', rules(row), isThere)}
     END`;
  };
  // Without the row: the item counts by another one, or another item has one of its files.
  const mayCount = (row: string): string =>
    `(EXISTS (${others(row)}) OR EXISTS (SELECT 1 FROM "file_use" WHERE "item_id" = ${row}."${item}"))`;
  return [
    trigger('NEW', 'BEFORE', [mayCount('NEW'), isNew(table, key)]),
    trigger('NEW', 'AFTER', []),
    trigger('OLD', 'BEFORE', []),
    trigger('OLD', 'AFTER', [mayCount('OLD')]),
  ];
}

/** Rows that are older than their item. */
const known = `(EXISTS (SELECT 1 FROM "access_entry" WHERE "entity_type" = 'item' AND "entity_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "collection_member" WHERE "member_type" = 'item' AND "member_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "library_item" WHERE "item_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "shape_tagged" WHERE "item_id" = NEW."id")
         OR EXISTS (SELECT 1 FROM "file_use" WHERE "item_id" = NEW."id"))`;

/** A new item is mostly known by nothing: it counts for rules without criteria. */
const newItem = (
  when: string,
): string => `CREATE TRIGGER "quota_item_made_after" AFTER INSERT ON "item" WHEN ${when} BEGIN
       UPDATE "quota_rule" SET "items" = "items" + 1
         WHERE "key" = '${anyKey}' AND "item_limit" IS NOT NULL AND NOT ${known};
       INSERT INTO "quota_counting" SELECT json_array(NEW."id"), '[]', 1 WHERE ${known};
     END`;

const replaced = [
  ...narrow.flatMap(({ name }) =>
    ['made', 'gone'].flatMap((word) => ['before', 'after'].map((time) => `quota_${name}_${word}_${time}`)),
  ),
  'quota_item_made_after',
];

/** Takes the place of triggers of the first schema. Each criterion has an index, because rules are found by it. */
export const narrowSchema: readonly string[] = [
  ...['library_id', 'user_id', 'tag'].map(
    (column) => `CREATE INDEX "quota_rule_${column}" ON "quota_rule" ("${column}") WHERE "${column}" IS NOT NULL`,
  ),
  ...replaced.map((name) => `DROP TRIGGER "${name}"`),
  ...narrow.flatMap((row) => triggersOf(row)),
  newItem(isRuled),
];

/**
 * Takes the place of the triggers that run while the row is there. Most rules have one criterion, and an item that has
 * just satisfied it needs no look at all the others. A new item has no files, so nobody looks for their bytes.
 */
export const oneCriterionSchema: readonly string[] = narrow.flatMap((row) =>
  triggersOf(row, { knowsOne: true }).flatMap((trigger) => {
    const name = /"quota_\w+_(?:made_after|gone_before)"/.exec(trigger)?.[0];
    return name === undefined ? [] : [`DROP TRIGGER ${name}`, trigger];
  }),
);

/**
 * Takes the place of all of them: a row that no rule asks for ends with a few look-ups. To search the rules of all
 * groups and collections above it, and to begin their change, takes longer than all that.
 */
export const askFirstSchema: readonly string[] = [
  ...replaced.map((name) => `DROP TRIGGER "${name}"`),
  ...narrow.flatMap((row) => triggersOf(row, { knowsOne: true, asksFirst: true })),
  newItem(`(EXISTS (SELECT 1 FROM "quota_rule" WHERE "key" = '${anyKey}') OR (${isRuled} AND ${known}))`),
];
