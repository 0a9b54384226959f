import {
  attribute,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { externalIdentifier } from '../../../core/documents/shared/external-id.ts';
import { uriListDocument } from '../../../core/documents/shared/uri-list.ts';
import { accessControlMergedDocument } from '../../access/public-reading.ts';
import { metadata, terse } from '../../metadata/public-reading.ts';
import { shapeType } from '../../shapes/public-reading.ts';
import { emptyLists, foundTimespan } from './search.ts';

const uris = uriListDocument.structure;

export const itemType = structure('ItemType', {
  metadata: element(metadata),
  thumbnails: element(uris).outputOnly,
  posters: element(uris).outputOnly,
  files: element(uris).outputOnly,
  terse: element(terse).outputOnly.says('The metadata in its terse form.'),
  shape: list(shapeType).outputOnly,
  'merged-access': element(accessControlMergedDocument.structure).outputOnly.says(
    'The entries that apply to the caller.',
  ),
  access: list(structure('ItemAccessType', { type: element(string), permission: element(string) })).outputOnly,
  timespan: list(foundTimespan).outputOnly.says('Timespans that match the search.'),
  externalId: list(externalIdentifier).outputOnly,
  id: attribute(string),
  start: attribute(string),
  end: attribute(string),
  base: attribute(string),
});

export const itemDocument = document('ItemDocument', itemType);
export type Item = Value<typeof itemDocument>;

export const itemListDocument = document('ItemListDocument', {
  hits: element(integer),
  library: element(string),
  nextCursor: element(string),
  item: list(itemType),
  ...emptyLists,
});
