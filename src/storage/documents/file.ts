import {
  attribute,
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
import { storageType } from './storage.ts';

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
  metadata: element(simpleMetadata),
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
  prefixes: element(prefixes),
  element: list(importable),
});
