import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { dueWhile, earliestDue } from '../../../core/store/due.ts';
import { guard, mustExist } from '../../../core/store/guard.ts';
import { insertInto, rowsAmong } from '../../../core/store/rows.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { type CriterionName, criterionNames, fullness, isOver } from '../counting/criteria-sql.ts';
import { quotaPoint, quotaRule } from '../tables.ts';

const columns = getTableColumns(quotaRule);
const over = sql.raw(isOver);
const full = sql.raw(fullness);

/** Columns with the current names of users and groups. A deleted one keeps its last name. */
const named = {
  ...columns,
  user: sql<string | null>`coalesce((SELECT name FROM user WHERE id = ${quotaRule.userId}), ${quotaRule.user})`,
  group: sql<string | null>`coalesce((SELECT name FROM "group" WHERE id = ${quotaRule.groupId}), ${quotaRule.group})`,
  fullness: sql<number>`${full}`,
};

export const findQuotaRule = query((db) =>
  db
    .select(named)
    .from(quotaRule)
    .where(eq(quotaRule.id, value('id'))),
).first;

export type QuotaRuleRow = NonNullable<Awaited<ReturnType<typeof findQuotaRule>>>;

/** `exact`: whether what the rule counts is known. */
export const enforcedRules = query((db) =>
  db
    .select({ ...named, exact: sql<number>`${quotaRule.marked} = ${quotaRule.counted}` })
    .from(quotaRule)
    .where(eq(quotaRule.enforce, 1))
    .orderBy(quotaRule.serial),
);

const criterionMatches = (name: CriterionName) => sql`(${value(name)} IS NULL OR ${named[name]} = ${value(name)})`;

/** By criterion what a rule has to name. Null: anything or nothing. */
export type RuleFilter = Readonly<Record<CriterionName, string | null>>;

export const everyRule = Object.fromEntries(criterionNames.map((name) => [name, null])) as RuleFilter;

/** Rules after a serial without their descriptions, the oldest first. */
export const rulesBehind = query((db) =>
  db
    .select({ ...named, description: sql<string | null>`NULL` })
    .from(quotaRule)
    .where(
      sql`${quotaRule.serial} > ${value('after')}
        AND ${sql.join(criterionNames.map(criterionMatches), sql` AND `)}
        AND (${value('exceeded')} = 0 OR ${over} OR ${quotaRule.marked} <> ${quotaRule.counted})`,
    )
    .orderBy(quotaRule.serial)
    .limit(value('limit')),
);

/** Descriptions of rules. `ids`: JSON, a list. */
export const descriptionsOf = rowsAmong(quotaRule, 'id', 'ids', 'id', 'description');

export const quotaRuleThere = mustExist(quotaRule.id);

/** Columns of a rule that callers decide. */
export type RuleValues = Pick<
  QuotaRuleRow,
  | 'description'
  | 'collection'
  | 'library'
  | 'userId'
  | 'user'
  | 'groupId'
  | 'group'
  | 'storage'
  | 'storageGroup'
  | 'tag'
  | 'key'
  | 'itemLimit'
  | 'storageLimit'
  | 'updateFrequency'
  | 'enforce'
>;

const insertRow = insertInto(quotaRule);
const uncounted = { items: 0, bytes: 0, marked: 1, counted: 0, recounts: 0, warned: 0, lastUpdate: null };

/** Inserts a rule with an initial count of zero. Changes are counted from now on. */
export const insertRule = (row: RuleValues & Pick<QuotaRuleRow, 'id' | 'serial' | 'due'>): Statement =>
  insertRow({ ...row, ...uncounted });

/** With other criteria: what it counts is not known. */
export const changeRule = statement<RuleValues & { id: string }>(
  sql`UPDATE ${writes('quota_rule')} SET description = ${value('description')}, collection_id = ${value('collection')},
      library_id = ${value('library')}, user_id = ${value('userId')}, "user" = ${value('user')},
      group_id = ${value('groupId')}, "group" = ${value('group')}, storage_id = ${value('storage')},
      storage_group = ${value('storageGroup')}, tag = ${value('tag')}, "key" = ${value('key')},
      item_limit = ${value('itemLimit')}, storage_limit = ${value('storageLimit')},
      update_frequency = ${value('updateFrequency')}, enforce = ${value('enforce')}, marked = marked + 1
    WHERE id = ${value('id')}`,
);

export const removeQuotaRule = [
  sql`DELETE FROM ${writes('quota_point')} WHERE rule_id = ${value('id')}`,
  sql`DELETE FROM ${writes('quota_rule')} WHERE id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));

/**
 * Applies a recount as the difference to the row at that time, since triggers have counted meanwhile. Of two concurrent
 * recounts only the first counts.
 */
export const correctRule = statement<{
  id: string;
  items: number;
  bytes: number;
  counted: number;
  recounts: number;
  now: number;
}>(sql`UPDATE ${writes('quota_rule')} SET items = items + ${value('items')}, bytes = bytes + ${value('bytes')},
    counted = ${value('counted')}, recounts = recounts + 1, last_update = ${value('now')},
    due = ${value('now')} + update_frequency * 1000
  WHERE id = ${value('id')} AND recounts = ${value('recounts')}`);

/** The last usage of a day that a recount saw. */
export const keepPoint = statement<{ id: string; day: number }>(
  sql`INSERT INTO ${writes('quota_point')} (rule_id, day, items, bytes)
      SELECT id, ${value('day')}, items, bytes FROM quota_rule WHERE id = ${value('id')}
    ON CONFLICT (rule_id, day) DO UPDATE SET items = excluded.items, bytes = excluded.bytes`,
);

export const forgetPoints = statement<{ id: string; day: number }>(
  sql`DELETE FROM ${writes('quota_point')} WHERE rule_id = ${value('id')} AND day < ${value('day')}`,
);

export const pointsOf = query((db) =>
  db
    .select({ day: quotaPoint.day, items: quotaPoint.items, bytes: quotaPoint.bytes })
    .from(quotaPoint)
    .where(sql`${quotaPoint.ruleId} = ${value('id')} AND ${quotaPoint.day} >= ${value('from')}`)
    .orderBy(quotaPoint.day)
    .limit(value('limit')),
);

/** Guards that no rule refers to the library, which is about to be deleted as unused. */
export const noRuleOfLibrary = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM quota_rule WHERE library_id = ${value('id')})`,
);

/** Guards that nobody has told how full it is. */
export const mustWarn = guard<Pick<QuotaRuleRow, 'id' | 'fullness' | 'warned'>>(
  sql`EXISTS (SELECT 1 FROM quota_rule
    WHERE id = ${value('id')} AND ${full} = ${value('fullness')} AND warned = ${value('warned')})`,
);

export const setWarned = statement<{ id: string }>(
  sql`UPDATE ${writes('quota_rule')} SET warned = ${full} WHERE id = ${value('id')}`,
);

export const rulesDue = earliestDue(
  sql`SELECT min(due) FROM quota_rule`,
  dueWhile(sql`SELECT 1 FROM quota_rule WHERE marked <> counted`),
  dueWhile(sql`SELECT 1 FROM quota_rule WHERE ${full} <> warned`),
);

/** Rules that have something to do: not counted, due, or to be warned about. */
export const rulesToDo = query(
  sql`SELECT id FROM (SELECT id FROM quota_rule WHERE marked <> counted LIMIT ${value('limit')})
    UNION SELECT id FROM (SELECT id FROM quota_rule WHERE ${full} <> warned LIMIT ${value('limit')})
    UNION SELECT id FROM (SELECT id FROM quota_rule WHERE due <= ${value('now')} ORDER BY due LIMIT ${value('limit')})`,
  { id: quotaRule.id },
);

export const countToDo = query(sql`SELECT count(*) FROM quota_rule WHERE marked <> counted`, {
  waiting: sql<number>`waiting`,
});
