import {
  attribute,
  boolean,
  decimal,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { accessControl } from '../../core/documents/index.ts';
import { externalIdentifier, facet, simpleMetadata, uriListDocument } from '../../core/documents/shared-documents.ts';
import { accessControlMergedDocument } from '../access/public-reading.ts';
import { metadata, terse } from '../metadata/public-reading.ts';
import { shapeType, timeCode } from '../shapes/public-reading.ts';
import { usageState } from '../usage/public-reading.ts';

const suggestion = structure('SuggestionResultType', { term: element(string), suggestion: list(string) });
export const autocompleteResponse = structure('AutocompleteResponseType', {
  field: element(string),
  suggestion: list(string),
});

/** Lists in answers of lists and searches. Clients expect them, even empty. */
export const emptyLists = {
  facet: list(facet).outputOnly,
  suggestion: list(suggestion).outputOnly,
  autocomplete: list(autocompleteResponse).outputOnly,
};
export type SuggestionResult = Value<typeof suggestion>;
export type AutocompleteResult = Value<typeof autocompleteResponse>;

export const noLists = { facet: [], suggestion: [], autocomplete: [] } as const;

/** Timespan of a hit, with the highlighted fields. */
export const foundTimespan = structure('SearchResultEntryTimespanType', {
  field: list(structure('SearchResultEntryFieldType', { name: element(string), value: list(string) })),
  start: attribute(string),
  end: attribute(string),
});
export type FoundTimespan = Value<typeof foundTimespan>;

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
  usage: element(usageState).outputOnly.says('Terms of use that count for the item. Left out: there are none.'),
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
  moreHits: element(boolean).says('There may be more hits than that, which count=bounded leaves uncounted.'),
  library: element(string),
  nextCursor: element(string),
  item: list(itemType),
  ...emptyLists,
});

const effect = structure('EffectType', {
  parameter: list(
    structure('EffectParameterType', {
      point: list(
        structure('EffectPointType', { value: attribute(decimal).required, position: attribute(integer).required }),
      ),
      name: attribute(string).required,
      value: attribute(decimal),
    }),
  ),
  name: attribute(string).required,
});

const marker = structure('SequenceMarkerType', {
  in: element(timeCode).required,
  out: element(timeCode).required,
  name: element(string),
  color: element(string).says('In capitals, as OpenTimelineIO names it: RED.'),
  comment: element(string),
});

const segment = structure('SequenceMediaType', {
  item: element(string).required,
  sourceTrack: element(integer).required,
  in: element(timeCode),
  out: element(timeCode),
  sourceIn: element(timeCode),
  sourceOut: element(timeCode),
  effect: list(effect),
  name: element(string).says('Name of the part, where it is not that of the item.'),
  marker: list(marker).says('Marks at times of the item.'),
});

const transition = structure('SequenceTransitionType', {
  in: element(timeCode).required,
  out: element(timeCode).required,
  wipe: element(integer),
  transition: element(string).required,
  horizRepeat: element(integer),
  vertRepeat: element(integer),
  startPercentage: element(integer),
  endPercentage: element(integer),
  reverse: element(boolean),
  borderWidth: element(integer),
  borderColor: element(string),
});

/** Sequence of parts of items, on tracks. */
export const sequenceType = structure('SequenceType', {
  id: element(string),
  start: element(timeCode).says('Time code of the first picture. Default: 0.'),
  track: list(
    structure('SequenceTrackType', {
      audio: element(boolean),
      segment: list(segment),
      transition: list(transition),
    }),
  ),
});
export type Sequence = Value<typeof sequenceType>;

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
  moreHits: element(boolean).says('There may be more hits than that, which count=bounded leaves uncounted.'),
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

export const permissions = ['NONE', 'READ', 'WRITE', 'ALL'] as const;

export const importAccessListDocument = document('ImportAccessControlListDocument', {
  group: list(
    structure('ImportAccessControlGroupType', {
      name: element(string).required,
      permission: element(oneOf(...permissions)).required,
    }),
  ),
});

/** Import profile: access entries for new items. */
export const importSettingsDocument = document('ImportSettingsDocument', {
  id: element(string).outputOnly,
  access: list(accessControl).max(100),
});
export type ImportSettings = Value<typeof importSettingsDocument>;
