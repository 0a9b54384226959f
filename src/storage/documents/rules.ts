import {
  attribute,
  boolean,
  content,
  document,
  element,
  integer,
  list,
  marker,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

const places = { storage: list(string), group: list(string) };

const storageRule = structure('StorageRuleType', {
  id: attribute(string).outputOnly.says('In a list: shape tag of the rule.'),
  storageCount: element(integer).says('Number of storages that must have each file.'),
  priority: list(
    structure('StorageRulePriorityType', { level: attribute(integer).required, value: content(string).required }),
  ).says('"capacity" or "bandwidth": criterion for the choice among other storages.'),
  ...places,
  not: element(structure('StorageRuleNotType', { ...places, any: marker() })),
  pool: element(structure('StorageRulePoolType', places)),
  appliesTo: element(structure('StorageRuleEntityType', { id: element(string), type: element(string) })).outputOnly,
  inherited: element(boolean).outputOnly,
  precedence: element(string).says('HIGHEST, HIGH, MEDIUM, LOW or LOWEST.'),
});

export const storageRuleDocument = document('StorageRuleDocument', storageRule);
export type StorageRule = Value<typeof storageRuleDocument>;

export const storageRulesDocument = document('StorageRulesDocument', {
  default: element(storageRule),
  tag: list(storageRule),
});
export type StorageRules = Value<typeof storageRulesDocument>;
