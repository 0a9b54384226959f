import {
  attribute,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../documents/describe.ts';
import { externalIdentifier } from '../../documents/shared/external-id.ts';
import { uriListDocument } from '../../documents/shared/uri-list.ts';
import { metadata } from './metadata.ts';
import { emptyLists, foundTimespan } from './search.ts';
import { shapeType } from './shape.ts';

const uris = uriListDocument.structure;

export const itemType = structure('ItemType', {
  metadata: element(metadata),
  shape: list(shapeType).outputOnly,
  access: list(structure('ItemAccessType', { type: element(string), permission: element(string) })).outputOnly,
  externalId: list(externalIdentifier).outputOnly,
  files: element(uris).outputOnly,
  thumbnails: element(uris).outputOnly,
  posters: element(uris).outputOnly,
  timespan: list(foundTimespan).outputOnly.says('Of what a search highlights.'),
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
export type ItemList = Value<typeof itemListDocument>;
