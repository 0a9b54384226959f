import { metadata } from '../../../assets/metadata/public-reading.ts';
import { boolean, document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';
import { simpleMetadata } from '../../../core/documents/shared-documents.ts';
import type { AutoImportRow } from '../../../storage/public.ts';

const nameFilter = structure('FilenameFilterType', { pattern: element(string).required, tag: list(string) });

const autoImportRule = structure('AutoImportRuleType', {
  fileNameAsTitle: element(boolean),
  storage: element(string).outputOnly,
  tag: list(string),
  metadata: element(metadata).says('Metadata of a new item without a sidecar.'),
  jobmetadata: element(simpleMetadata),
  settingsId: element(string),
  projection: element(string).says('Projection whose incoming stylesheet transforms sidecar files into metadata.'),
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

export const autoImportFrom = ({ storageId, enabled, document }: AutoImportRow): AutoImportRule => ({
  ...(JSON.parse(document) as AutoImportRule),
  storage: storageId,
  enabled: enabled === 1,
});
