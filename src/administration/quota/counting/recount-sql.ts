import type { SqlValue } from '../../../core/store/contract.ts';
import {
  anyKey,
  type CriterionName,
  conditionsOf,
  criterionKey,
  criterionNames,
  fileCriteria,
  isThere,
  itemCriteria,
  quotaCriteria,
} from './criteria-sql.ts';

/** The criteria of a rule, in the order of the table of criteria. */
type Criteria = readonly CriterionName[];

/**
 * Count of a rule, by all rows that match its first criterion. The columns: its items, its bytes. `rule`: name of its
 * row in the enclosing statement.
 */
function countOf(rule: string, given: Criteria): { readonly items: string; readonly bytes: string } {
  const [first] = given;
  // All rows found match the only criterion already: checking each of a million again would be wasted.
  const isAlone = given.length === 1 && first! in itemCriteria;
  const { itemCounts, fileCounts } = conditionsOf(rule, isAlone ? [] : given);
  const isOfFiles = first !== undefined && first in fileCriteria;
  const matching = first && quotaCriteria[first].all(`${rule}."${quotaCriteria[first].column}"`);

  const allItems = matching === undefined ? 'SELECT "id" FROM "item"' : isOfFiles ? itemsOfFiles(matching) : matching;
  const items = `(SELECT count(*) FROM (${allItems}) AS "one" JOIN "item" ON "item"."id" = "one"."id"
       WHERE ${itemCounts('"one"."id"')})`;

  const isPlain = given.every((name) => name in fileCriteria);
  const bytes = isPlain
    ? sumOfStorages(rule, given)
    : sumOfFiles(isOfFiles ? matching! : filesOfItems(matching!), fileCounts('"file"'));
  return { items, bytes };
}

const itemsOfFiles = (files: string): string =>
  `SELECT DISTINCT "item_id" AS "id" FROM "file_use" WHERE "file_id" IN (${files})`;
const filesOfItems = (items: string): string =>
  `SELECT DISTINCT "file_id" AS "id" FROM "file_use" WHERE "item_id" IN (${items})`;

const sumOfFiles = (files: string, counts: string): string =>
  `(SELECT coalesce(sum("file"."size"), 0) FROM (${files}) AS "one" JOIN "file" ON "file"."id" = "one"."id" WHERE ${counts})`;

/** Without a criterion of items: from the sums that storages keep. */
function sumOfStorages(rule: string, given: Criteria): string {
  const conditions = [
    isThere('"file_usage"."state"'),
    ...(given.includes('storage') ? [`"file_usage"."storage_id" = ${rule}."storage_id"`] : []),
    ...(given.includes('storageGroup')
      ? [
          `"file_usage"."storage_id" IN (SELECT "storage_id" FROM "storage_group_member" WHERE "group_name" = ${rule}."storage_group")`,
        ]
      : []),
  ];
  return `(SELECT coalesce(sum("bytes"), 0) FROM "file_usage" WHERE ${conditions.join(' AND ')})`;
}

type Values = Readonly<Record<string, unknown>>;

/** The criteria that a rule has. Its values are by the names of the criteria, those of users and groups by their ids. */
export const criteriaOf = (rule: Values): Criteria =>
  criterionNames.filter((name) => (rule[fieldOf[name]] ?? null) !== null);

const fieldOf: Readonly<Record<CriterionName, string>> = {
  collection: 'collection',
  library: 'library',
  user: 'userId',
  group: 'groupId',
  storage: 'storage',
  storageGroup: 'storageGroup',
  tag: 'tag',
};

export function keyOfRule(rule: Values): string {
  const [first] = criteriaOf(rule);
  return first === undefined ? anyKey : criterionKey(first, String(rule[fieldOf[first]]));
}

/** Recount of a rule in one statement, so that all reads share a snapshot. */
export function recountOf(given: Criteria): string {
  const { items, bytes } = countOf('"rule"', given);
  return `SELECT "rule"."items", "rule"."bytes", "rule"."marked", "rule"."recounts",
      CASE WHEN "rule"."item_limit" IS NULL THEN 0 ELSE ${items} END,
      CASE WHEN "rule"."storage_limit" IS NULL THEN 0 ELSE ${bytes} END
    FROM "quota_rule" AS "rule" WHERE "rule"."id" = ?`;
}

/** Count of a rule that is not stored yet. */
export function firstCountOf(rule: Values): { readonly text: string; readonly values: readonly SqlValue[] } {
  const criteria = criteriaOf(rule);
  const { items, bytes } = countOf('"rule"', criteria);
  const columns = criteria.map((name) => `? AS "${quotaCriteria[name].column}"`);
  return {
    text: `SELECT ${items}, ${bytes} FROM (SELECT ${['1 AS "one"', ...columns].join(', ')}) AS "rule"`,
    values: criteria.map((name) => String(rule[fieldOf[name]])),
  };
}
