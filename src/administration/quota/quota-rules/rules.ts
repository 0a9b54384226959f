import { badValue } from '../../../core/documents/error.ts';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { keyOfRule } from '../counting/recount-sql.ts';
import { quotaEvent } from '../events.ts';
import type { Usage } from '../usage.ts';
import type { QuotaRule } from './documents.ts';
import type { RuleEntityIds } from './named.ts';
import { changeRule, insertRule, type QuotaRuleRow, type RuleValues, removeQuotaRule } from './store.ts';

export const ruleName = { type: 'quota-rule', noun: 'quota-rule' } as const;
export const noSuchQuotaRule = (id: string): ServiceError => noSuchEntity(ruleName, id);

/** Seconds from one count of a rule to the next. */
const [leastFrequency, defaultFrequency] = [10, 3600];
const maxLimit = Number.MAX_SAFE_INTEGER;

/** Validated rule of a document. 400 if it is invalid. */
export function readRule(document: QuotaRule, named: RuleEntityIds): RuleValues {
  const { description = null, user = null, group = null, updateFrequency = defaultFrequency } = document;
  if (updateFrequency < leastFrequency) {
    throw badValue('/QuotaRuleDocument/updateFrequency', `at least ${leastFrequency} seconds`, String(updateFrequency));
  }
  const enforce = document.enforce === true ? 1 : 0;
  const { collection = null, library = null, storage = null, storageGroup = null, tag = null } = named;
  const people = { userId: named.user ?? null, user, groupId: named.group ?? null, group };
  const values = { description, collection, library, ...people, storage, storageGroup, tag };
  return { ...values, ...limitsOf(document.resource), updateFrequency, enforce, key: keyOfRule(values) };
}

function limitsOf(resources: QuotaRule['resource'] = []): Pick<RuleValues, 'itemLimit' | 'storageLimit'> {
  const path = '/QuotaRuleDocument/resource';
  if (resources.length === 0) throw badValue(path, 'at least one resource, "item" or "storage"', 'none');
  const limits = new Map<string, number>();
  for (const { name, limit } of resources) {
    if (limits.has(name)) throw badValue(`${path}/name`, 'each resource once', name);
    if (limit < 0 || limit > maxLimit)
      throw badValue(`${path}/limit`, `a whole number from 0 to ${maxLimit}`, String(limit));
    limits.set(name, limit);
  }
  return { itemLimit: limits.get('item') ?? null, storageLimit: limits.get('storage') ?? null };
}

/** State of a rule for events and documents: usages of its limited resources. */
export const ruleState = (
  id: string,
  { itemLimit, storageLimit }: Pick<RuleValues, 'itemLimit' | 'storageLimit'>,
  usage: Usage,
) => ({
  ruleId: id,
  ...(itemLimit !== null && { itemLimit }),
  ...(storageLimit !== null && { storageLimit }),
  ...(itemLimit !== null && { itemUsage: usage.items }),
  ...(storageLimit !== null && { storageUsage: usage.bytes }),
});

export const createRule = (id: string, serial: number, values: RuleValues, usage: Usage, now: number): CommitPlan => ({
  changes: [insertRule({ ...values, id, serial, due: now })],
  events: [quotaEvent('quota/created', id, ruleState(id, values, usage))],
});

export const replaceRule = (id: string, values: RuleValues): CommitPlan => changing(changeRule({ ...values, id }));

/** Deletes a rule with its external ids. The event deletes its notifications. */
export const deleteQuotaRule = (row: QuotaRuleRow, usage: Usage): CommitPlan => ({
  changes: [...removeQuotaRule.map((statement) => statement({ id: row.id })), ...forgetEntity(ruleName.type, row.id)],
  events: [quotaEvent('quota/delete', row.id, ruleState(row.id, row, usage))],
});
