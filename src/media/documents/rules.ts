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
} from '../../documents/describe.ts';
import { simpleMetadata } from '../../documents/shared/simple-metadata.ts';

const places = { storage: list(string), group: list(string) };

const storageRule = structure('StorageRuleType', {
  id: attribute(string).outputOnly.says('In a list: the shape tag that the rule is about.'),
  storageCount: element(integer).says('On how many storages each file must be.'),
  priority: list(
    structure('StorageRulePriorityType', { level: attribute(integer).required, value: content(string).required }),
  ).says('"capacity" or "bandwidth": what decides among storages that are not named.'),
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

const nameFilter = structure('FilenameFilterType', { pattern: element(string).required, tag: list(string) });

/** Metadata of the new items and sequences come with items and imports. */
const autoImportRule = structure('AutoImportRuleType', {
  fileNameAsTitle: element(boolean),
  storage: element(string).outputOnly,
  tag: list(string),
  jobmetadata: element(simpleMetadata),
  settingsId: element(string),
  projection: element(string),
  excludeFilter: list(nameFilter),
  shapeTagFilter: list(nameFilter),
  priority: element(string),
  user: element(string),
  resourceId: element(string),
  ignoreSidecarImport: element(boolean),
  disabledSidecarExtensions: list(string),
  enabled: element(boolean),
});

export const autoImportRuleDocument = document('AutoImportRuleDocument', autoImportRule);
export type AutoImportRule = Value<typeof autoImportRuleDocument>;

export const autoImportRuleListDocument = document('AutoImportRuleListDocument', { rule: list(autoImportRule) });
export type AutoImportRuleList = Value<typeof autoImportRuleListDocument>;
