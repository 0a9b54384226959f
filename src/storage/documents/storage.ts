import {
  boolean,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { simpleMetadata } from '../../core/documents/shared/simple-metadata.ts';

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

export const storageType = structure('StorageType', {
  id: element(string).outputOnly,
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
  ).most(1000),
});
export type StorageImport = Value<typeof storageImportDocument>;
