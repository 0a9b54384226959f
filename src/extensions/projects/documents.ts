import type { AttachmentKind as Kind } from '../../assets/metadata/public.ts';
import { metadata } from '../../assets/metadata/public-reading.ts';
import {
  attribute,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
} from '../../core/documents/describe.ts';

export const projectDocument = document('ProjectDocument', { name: element(string), metadata: element(metadata) });

export const definitionKind: Kind = { kind: 'definition', noun: 'project definition', most: 50 };

/** Maps clips of a project to items, files and storages. */
export const essenceMappingsDocument = document('EssenceMappingsDocument', {
  asset: list(
    structure('AssetMappingType', {
      id: attribute(string).required,
      item: attribute(string).required,
      shape: attribute(string),
    }),
  ),
  file: list(
    structure('FileMappingType', {
      id: attribute(string),
      path: attribute(string),
      hash: attribute(string),
      size: attribute(integer),
      timestamp: attribute(dateTime),
    }),
  ),
  storage: list(structure('StorageMappingType', { path: attribute(string).required, id: attribute(string).required })),
});
