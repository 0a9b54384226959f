import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareSqlQuery, prepareSqlStatement } from '../../store/statement.ts';
import { quotaRule } from '../tables.ts';

const value = sql.placeholder;

/** A new commit begins. */
export const clearBegan = prepareSqlStatement(sql`DELETE FROM quota_began`);

const counts = sql`quota_began AS began CROSS JOIN quota_rule AS rule ON rule.id = began.rule_id AND rule.enforce = 1`;

/** More than before, and more than the limit: what makes less of it is no refusal. */
const exceeds = sql`(rule.items > rule.item_limit AND rule.items > began.items
    OR rule.bytes > rule.storage_limit AND rule.bytes > began.bytes)`;

export const noRuleExceeded = prepareGuard(sql`NOT EXISTS (SELECT 1 FROM ${counts} WHERE ${exceeds})`);

/** The usage of each rule is known, so that the limits can be judged. */
export const allExact = prepareGuard(sql`NOT EXISTS (SELECT 1 FROM ${counts} WHERE rule.marked <> rule.counted)`);

export const ruleFits = prepareGuard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM ${counts} WHERE rule.id = ${value('id')} AND ${exceeds})`,
);

export const enforcedRules = prepareSqlQuery(
  sql`SELECT id, marked = counted FROM quota_rule WHERE enforce = 1 ORDER BY serial`,
  { id: quotaRule.id, exact: sql<number>`` },
);
