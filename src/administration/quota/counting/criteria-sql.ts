/**
 * Criteria of rules, in SQL. Triggers apply them to the few entities that a change concerns, a recount to all of them.
 * `value`: value of the rule. `items` and `files`: lists or queries of ids.
 */

const owners = (items: string): string => `SELECT "user_id" AS "id" FROM "access_entry"
       WHERE "entity_type" = 'item' AND "entity_id" IN (${items}) AND "permission" = 'OWNER' AND "user_id" IS NOT NULL`;

const ownedBy = (users: string): string => `SELECT DISTINCT "entity_id" AS "id" FROM "access_entry"
       WHERE "user_id" IN (${users}) AND "entity_type" = 'item' AND "permission" = 'OWNER'`;

/** Transitive closure of a relation in a table. */
const closure = (first: string, next: string): string =>
  `WITH RECURSIVE "found" ("id") AS (${first} UNION ${next}) SELECT "id" FROM "found"`;

export const groupsAboveSql = (first: string): string =>
  closure(first, 'SELECT "parent_id" FROM "found" JOIN "group_group" ON "child_id" = "found"."id"');
export const groupsBelow = (group: string): string =>
  closure(`SELECT ${group}`, 'SELECT "child_id" FROM "found" JOIN "group_group" ON "parent_id" = "found"."id"');

export const collectionsAboveSql = (first: string): string =>
  closure(
    first,
    `SELECT "collection_id" FROM "found"
       CROSS JOIN "collection_member" ON "member_type" = 'collection' AND "member_id" = "found"."id"`,
  );
const collectionsBelow = (collection: string): string =>
  closure(
    `SELECT ${collection}`,
    `SELECT "member_id" FROM "found"
       CROSS JOIN "collection_member" ON "collection_id" = "found"."id" AND "member_type" = 'collection'`,
  );

const groupsOf = (items: string): string =>
  groupsAboveSql(`SELECT "group_id" FROM "group_user" WHERE "user_id" IN (${owners(items)})`);
const collectionsOf = (items: string): string =>
  collectionsAboveSql(`SELECT "collection_id" FROM "collection_member"
       WHERE "member_type" = 'item' AND "member_id" IN (${items})`);
const storagesIn = (group: string): string =>
  `SELECT "storage_id" FROM "storage_group_member" WHERE "group_name" = ${group}`;

/** Own alias, because the id may refer to a file of the enclosing query. */
const storageOf = (file: string): string =>
  `SELECT "lies"."storage_id" FROM "file" AS "lies" WHERE "lies"."id" = ${file}`;

interface Criterion {
  /** Column of the table of rules. */
  readonly column: string;
  /** Whether one item satisfies it, or one file. */
  fits(value: string, id: string): string;
  /** All ids of matching items or files. */
  all(value: string): string;
  /** Values that the given items or files match, in the column `id`. */
  valuesOf(ids: string): string;
}

const criterion = <const C extends Criterion>(row: C): Criterion => row;

/** Criteria of items, the most selective first. */
export const itemCriteria = {
  collection: criterion({
    column: 'collection_id',
    fits: (value, id) => `${value} IN (${collectionsOf(id)})`,
    all: (value) => `SELECT DISTINCT "member_id" AS "id" FROM "collection_member"
       WHERE "member_type" = 'item' AND "collection_id" IN (${collectionsBelow(value)})`,
    valuesOf: collectionsOf,
  }),
  library: criterion({
    column: 'library_id',
    fits: (value, id) => `EXISTS (SELECT 1 FROM "library_item" WHERE "library_id" = ${value} AND "item_id" = ${id})`,
    all: (value) => `SELECT "item_id" AS "id" FROM "library_item" WHERE "library_id" = ${value}`,
    valuesOf: (items) => `SELECT "library_id" AS "id" FROM "library_item" WHERE "item_id" IN (${items})`,
  }),
  user: criterion({
    column: 'user_id',
    fits: (value, id) => `${value} IN (${owners(id)})`,
    all: ownedBy,
    valuesOf: owners,
  }),
  group: criterion({
    column: 'group_id',
    fits: (value, id) => `${value} IN (${groupsOf(id)})`,
    all: (value) => ownedBy(`SELECT "user_id" FROM "group_user" WHERE "group_id" IN (${groupsBelow(value)})`),
    valuesOf: groupsOf,
  }),
};

/** Criteria of files. A single file must match both, and the tag of a shape with that file. */
export const fileCriteria = {
  storage: criterion({
    column: 'storage_id',
    fits: (value, id) => `${value} = (${storageOf(id)})`,
    all: (value) => `SELECT "id" FROM "file" WHERE "storage_id" = ${value}`,
    valuesOf: (files) => `SELECT "storage_id" AS "id" FROM "file" WHERE "id" IN (${files})`,
  }),
  storageGroup: criterion({
    column: 'storage_group',
    fits: (value, id) => `(${storageOf(id)}) IN (${storagesIn(value)})`,
    all: (value) => `SELECT "id" FROM "file" WHERE "storage_id" IN (${storagesIn(value)})`,
    valuesOf: (files) => `SELECT "group_name" AS "id" FROM "storage_group_member"
       WHERE "storage_id" IN (SELECT "storage_id" FROM "file" WHERE "id" IN (${files}))`,
  }),
};

/** Criterion of shapes. */
export const tagCriterion = {
  column: 'tag',
  fits: (value: string, shape: string) =>
    `EXISTS (SELECT 1 FROM "shape_tagged" WHERE "shape_id" = ${shape} AND "tag" = ${value})`,
  fitsItem: (value: string, item: string) =>
    `EXISTS (SELECT 1 FROM "shape_tagged" WHERE "item_id" = ${item} AND "tag" = ${value})`,
  all: (value: string) => `SELECT DISTINCT "item_id" AS "id" FROM "shape_tagged" WHERE "tag" = ${value}`,
  valuesOf: (items: string) => `SELECT "tag" AS "id" FROM "shape_tagged" WHERE "item_id" IN (${items})`,
};

type ItemCriterion = keyof typeof itemCriteria;
type FileCriterion = keyof typeof fileCriteria;
export type CriterionName = ItemCriterion | FileCriterion | 'tag';

/** Criteria in the order of their use as the key of a rule: the first existing one. */
export const quotaCriteria: Readonly<Record<CriterionName, Pick<Criterion, 'column' | 'all' | 'valuesOf'>>> = {
  ...itemCriteria,
  ...fileCriteria,
  tag: tagCriterion,
};
export const criterionNames = Object.keys(quotaCriteria) as readonly CriterionName[];

/** Key of a rule: one of its criteria with its value. */
export const criterionKey = (name: CriterionName, value: string): string => `${name}:${value}`;
/** Key of rules without criteria. */
export const anyKey = 'any';

/** Files that are there, or on their way. */
export const isThere = (state: string): string => `${state} NOT IN ('LOST', 'MISSING', 'TO_BE_DELETED')`;

const columnOf = (rule: string, name: CriterionName): string => `${rule}."${quotaCriteria[name].column}"`;

const and = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'TRUE' : conditions.join('\n         AND ');

type Names = readonly CriterionName[];

const itemNames = Object.keys(itemCriteria) as readonly (keyof typeof itemCriteria)[];
const fileNames = Object.keys(fileCriteria) as readonly (keyof typeof fileCriteria)[];

/**
 * The conditions that a rule makes. `given`: the criteria of this rule. Left out: it may have any of them, and those
 * that it has not hold.
 */
export function conditionsOf(rule: string, given?: Names) {
  const has = (...names: Names): string =>
    `(${names.map((name) => `${columnOf(rule, name)} IS NOT NULL`).join(' OR ')})`;
  const some = <N extends CriterionName>(names: readonly N[]): readonly N[] =>
    given ? names.filter((name) => given.includes(name)) : names;
  const wherever = (name: CriterionName, condition: string): string =>
    given ? condition : `(${columnOf(rule, name)} IS NULL OR ${condition})`;

  const ofItem = (item: string): string[] =>
    some(itemNames).map((name) => wherever(name, itemCriteria[name].fits(columnOf(rule, name), item)));
  const ofFile = (file: string): string[] =>
    some(fileNames).map((name) => wherever(name, fileCriteria[name].fits(columnOf(rule, name), file)));
  const ofShape = (shape: string): string[] =>
    some(['tag']).map((name) => wherever(name, tagCriterion.fits(columnOf(rule, name), shape)));

  /** `item` is the id of an item that is there. */
  function itemCounts(item: string): string {
    const file = `EXISTS (SELECT 1 FROM "file_use" AS "used" JOIN "file" AS "held" ON "held"."id" = "used"."file_id"
           WHERE ${and([`"used"."item_id" = ${item}`, isThere('"held"."state"'), ...ofFile('"used"."file_id"'), ...ofShape('"used"."shape_id"')])})`;
    const tag = tagCriterion.fitsItem(columnOf(rule, 'tag'), item);
    if (!given) {
      const inShape = `CASE WHEN ${has(...fileNames)} THEN ${file} WHEN ${has('tag')} THEN ${tag} ELSE TRUE END`;
      return and([...ofItem(item), inShape]);
    }
    const inShape = some(fileNames).length > 0 ? [file] : given.includes('tag') ? [tag] : [];
    return and([...ofItem(item), ...inShape]);
  }

  /** `file` is the name of the table of files. */
  function fileCounts(file: string): string {
    const used = `EXISTS (SELECT 1 FROM "file_use" AS "used"
           WHERE ${and([`"used"."file_id" = ${file}."id"`, ...ofShape('"used"."shape_id"'), ...ofItem('"used"."item_id"')])})`;
    const conditions = [isThere(`${file}."state"`), ...ofFile(`${file}."id"`)];
    if (!given) return and([...conditions, `(NOT ${has(...itemNames, 'tag')} OR ${used})`]);
    return and(some([...itemNames, 'tag' as const]).length > 0 ? [...conditions, used] : conditions);
  }

  return { itemCounts, fileCounts };
}

/** Condition that a limit is exceeded. Usage equal to the limit is allowed. NULL: no limit. */
export const isOver = `(coalesce("items" > "item_limit", 0) OR coalesce("bytes" > "storage_limit", 0))`;

/** Condition that nine tenths of a limit are used. */
const isNear = `(coalesce("items" * 10 >= nullif("item_limit", 0) * 9, 0) OR coalesce("bytes" * 10 >= nullif("storage_limit", 0) * 9, 0))`;

/** 2: a limit is exceeded. 1: one is nearly used. */
export const fullness = `(CASE WHEN ${isOver} THEN 2 WHEN ${isNear} THEN 1 ELSE 0 END)`;
