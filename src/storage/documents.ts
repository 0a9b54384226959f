import {
  attribute,
  boolean,
  content,
  dateTime,
  document,
  element,
  integer,
  list,
  marker,
  string,
  structure,
  type Value,
} from '../core/documents/describe.ts';
import { simpleMetadata } from '../core/documents/shared-documents.ts';

const methodFields = {
  id: element(string).says('Id of an existing method. Without a known id the method is identified by its address.'),
  uri: element(string).required.says('Address of the files. Answers show user name and password as "***".'),
  bandwidth: element(integer),
  read: element(boolean),
  write: element(boolean),
  browse: element(boolean).says('Whether scans and lists use this method.'),
  lastSuccess: element(dateTime).outputOnly,
  lastFailure: element(dateTime).outputOnly,
  failureMessage: element(string).outputOnly,
  type: element(string).says(
    '"NONE" for ordinary methods. Addresses by other types are in answers only if the request names the type.',
  ),
  metadata: element(simpleMetadata),
  loc: element(string).outputOnly,
};

const storageMethod = structure('StorageMethodType', methodFields);
export type StorageMethod = Value<typeof storageMethod>;

export const storageMethodListDocument = document('StorageMethodListDocument', { method: list(storageMethod) });

const sequence = structure('StorageFileSequenceType', { regex: element(string).required, numGroup: element(integer) });

const storageType = structure('StorageType', {
  id: element(string).outputOnly,
  name: element(string).outputOnly.says(
    'With displayName=true: the metadata `name`, else the last folder of the first method.',
  ),
  state: element(string).outputOnly,
  type: element(string).says('LOCAL, SHARED, REMOTE, EXTERNAL, ARCHIVE or EXPORT.'),
  capacity: element(integer).says('Capacity in bytes.'),
  freeCapacity: element(integer).outputOnly,
  timestamp: element(dateTime).outputOnly,
  method: list(storageMethod),
  metadata: element(simpleMetadata),
  lowWatermark: element(integer).says('Watermark in bytes.'),
  highWatermark: element(integer).says('Watermark in bytes.'),
  lowWatermarkPercentage: element(integer),
  highWatermarkPercentage: element(integer),
  scanInterval: element(integer).says('Seconds between scans. -1: scans only on request.'),
  autoDetect: element(boolean).says('Capacity and free space are read from the disk.'),
  showImportables: element(boolean),
  priority: element(string).says(
    'HIGHEST, HIGH, MEDIUM, LOW or LOWEST. The copy with the highest priority is read first.',
  ),
  bandwidth: element(integer),
  projection: element(string),
  sequence: list(sequence),
  sequenceTimeout: element(integer),
  bean: element(string),
  archiveScript: element(string),
  resourceTag: element(string),
});

export const storageDocument = document('StorageDocument', storageType);
export type Storage = Value<typeof storageDocument>;

export const storageListDocument = document('StorageListDocument', {
  hits: element(integer),
  storage: list(storageType),
});

const storageGroup = structure('StorageGroupType', {
  name: element(string),
  data: list(structure('StorageGroupDataType', { key: element(string).required, value: element(string).required })),
  storage: list(storageType),
});

export const storageGroupDocument = document('StorageGroupDocument', storageGroup);

export const storageGroupListDocument = document('StorageGroupListDocument', { group: list(storageGroup) });

export const storageImportDocument = document('StorageImportDocument', {
  file: list(
    structure('FileImportDefType', {
      fileId: element(string).required,
      path: element(string).required,
      size: element(integer),
      component: list(string),
    }),
  ).max(1000),
});
export type StorageImport = Value<typeof storageImportDocument>;

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

const component = structure('FileComponentUseType', { id: element(string) });
const shape = structure('FileShapeUseType', { id: element(string), component: list(component) });
const item = structure('FileItemUseType', { id: element(string), shape: list(shape) });

export const fileType = structure('FileType', {
  id: element(string).says('Id of the file of a component. For a new file the service chooses the id.'),
  path: element(string).says('Relative to the storage.'),
  uri: list(string),
  state: element(string),
  size: element(integer).says('Size in bytes. Absent: unknown.'),
  hash: element(string).says('SHA-1, in lower-case hexadecimal.'),
  timestamp: element(dateTime).outputOnly,
  refreshFlag: element(integer).outputOnly,
  storage: element(string),
  item: list(item).outputOnly,
  metadata: element(simpleMetadata).says('The key "hash_SHA-256" is the SHA-256, once it is known.'),
  type: element(string),
  sequence: element(boolean),
  range: list(structure('FileRangeType', { start: attribute(string).required, count: attribute(string).required })),
  storageDefinition: element(storageType).outputOnly,
});

export const fileDocument = document('FileDocument', fileType);
export type File = Value<typeof fileDocument>;

const prefixes = structure('FilePrefixListType', { prefix: list(string) });

export const fileListDocument = document('FileListDocument', {
  hits: element(integer),
  nextCursor: element(string),
  prefixes: element(prefixes),
  file: list(fileType),
});

/** The metadata of an importable file comes with items: until then there is none. */
const importable = structure('ImportableFileType', { file: element(fileType).required });

export const importableFileListDocument = document('ImportableFileListDocument', {
  hits: element(integer),
  nextCursor: element(string),
  prefixes: element(prefixes),
  element: list(importable),
});

const transferFields = structure('TransferType', {
  name: element(string).says('The transferId of the client.'),
  state: element(string).says('TRANSFERRING, WAITING, FINISHED, FAILED or ABORTED.'),
  priority: element(string),
  transferred: element(integer).says('Number of received bytes.'),
  fileId: element(string),
});

/** An upload in parts. */
export const transferDocument = document('TransferDocument', transferFields);
export type TransferDocument = Value<typeof transferDocument>;

export const transferListDocument = document('TransferListDocument', {
  hits: element(integer),
  transfer: list(transferFields),
});
