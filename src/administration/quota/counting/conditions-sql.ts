import { type CriterionName, fileCriteria, itemCriteria, quotaCriteria, tagCriterion } from './criteria-sql.ts';

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
