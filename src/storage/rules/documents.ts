import type { StorageRule, StorageRules } from '../documents/rules.ts';
import { precedences, type StoredRule } from './rules.ts';
import type { RuleRow } from './store.ts';

export function ruleDocumentOf({ entityType, entityId, tag, precedence, document }: RuleRow): StorageRule {
  return {
    ...(tag !== '' && { id: tag }),
    ...(JSON.parse(document) as StoredRule),
    appliesTo: { ...(entityId !== '' && { id: entityId }), type: entityType },
    precedence: precedences[precedence],
  };
}

/** The rule of everything that has no rule of its own, and the others. */
export function rulesDocumentOf(rows: readonly RuleRow[], isDefault: (row: RuleRow) => boolean): StorageRules {
  const usual = rows.find(isDefault);
  return {
    ...(usual && { default: ruleDocumentOf(usual) }),
    tag: rows.filter((row) => row !== usual).map(ruleDocumentOf),
  };
}
