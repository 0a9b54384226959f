import {
  attribute,
  boolean,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { externalIdentifier } from '../../../core/documents/shared/external-id.ts';
import { simpleMetadata } from '../../../core/documents/shared/simple-metadata.ts';
import { accessControlMergedDocument } from '../../access/public-reading.ts';
import { metadata, terse } from '../../metadata/public-reading.ts';
import { emptyLists } from './search.ts';
import { sequenceType } from './sequence.ts';

const kind = oneOf('item', 'library', 'collection');

const content = structure('CollectionContentType', {
  id: element(string).required,
  uri: element(string).outputOnly,
  type: element(kind).says('Default: item.'),
  reference: element(string).outputOnly.says('The uuid of the membership.'),
  metadata: element(simpleMetadata).says('Metadata of the membership, not of the member.'),
  mode: attribute(oneOf('add', 'remove', 'move')).inputOnly.says('Either all entries have one, or none.'),
  before: attribute(string).inputOnly.says('The member is inserted before this one.'),
  after: attribute(string).inputOnly,
});
export type CollectionContent = Value<typeof content>;

export const collectionType = structure('CollectionType', {
  loc: element(string).outputOnly,
  id: element(string).outputOnly,
  name: element(string).says('Name of the collection, equal to the metadata field "title".'),
  content: list(content),
  sequence: list(sequenceType).outputOnly.says('Sequences of the project version.'),
  metadata: element(metadata),
  terse: element(terse).outputOnly.says('The metadata in its terse form.'),
  externalId: list(externalIdentifier).outputOnly,
  'merged-access': element(accessControlMergedDocument.structure).outputOnly.says(
    'The entries that apply to the caller.',
  ),
  absoluteTime: attribute(boolean).says('Timed metadata of the item counts from its start time code.'),
});

export const collectionDocument = document('CollectionDocument', collectionType);
export type Collection = Value<typeof collectionDocument>;

export const collectionListDocument = document('CollectionListDocument', {
  hits: element(integer),
  collection: list(collectionType),
  ...emptyLists,
  nextCursor: element(string),
});

const reorderEntry = structure('CollectionReorderEntryType', {
  id: attribute(string).required,
  before: attribute(string),
  after: attribute(string),
});

export const collectionReorderDocument = document('CollectionReorderDocument', {
  item: list(reorderEntry),
  library: list(reorderEntry),
  collection: list(reorderEntry),
});
export type CollectionReorder = Value<typeof collectionReorderDocument>;
