import { sequenceType } from '../../assets/items/public.ts';
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
  type Value,
} from '../../core/documents/describe.ts';

export const projectDocument = document('ProjectDocument', { name: element(string), metadata: element(metadata) });

export const definitionKind: Kind = { kind: 'definition', noun: 'project definition', max: 50 };

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

/** Assets of a project file of an editing program, with the matching items. */
export const projectFileDocument = document('ProjectFileDocument', {
  location: element(string),
  type: element(string),
  asset: list(
    structure('ProjectFileAssetType', {
      id: element(string),
      name: element(string),
      type: element(string),
      status: element(string),
      item: list(
        structure('ProjectFileItemType', {
          id: attribute(string),
          shape: attribute(string),
          match: attribute(string),
        }),
      ),
      file: list(structure('ProjectFileReferenceType', { path: element(string) })),
    }),
  ),
});

/** Items and sequences of a project version. */
export const projectVersionDocument = document('ProjectVersionDocument', {
  id: element(string).outputOnly,
  item: list(
    structure('ProjectVersionItemType', {
      id: element(string),
      externalId: element(string),
      uri: element(string).says('Not used to find the item: give its id or an external id.'),
    }),
  ),
  sequence: list(sequenceType),
  metadata: element(metadata),
});
export type ProjectVersion = Value<typeof projectVersionDocument>;
