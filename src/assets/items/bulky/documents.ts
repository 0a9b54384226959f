import {
  attribute,
  content,
  document,
  element,
  exactlyOneOf,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const entry = structure('BulkyMapEntryType', { key: attribute(string).required, text: content(string).required });
const maps = structure('BulkyMapListType', { map: list(structure('BulkyMapType', { entry: list(entry) })) });

const pair = structure(
  'BulkyMetadataPairType',
  {
    key: element(string).required,
    value: element(string),
    maps: element(maps),
    start: attribute(string).says('A time code. Default: -INF.'),
    end: attribute(string).says('A time code. Default: +INF.'),
    stream: attribute(integer),
    channel: attribute(integer),
    itemTrack: attribute(string),
  },
  exactlyOneOf('value', 'maps'),
);

/** Large amounts of timed metadata, which are not searchable. */
export const bulkyMetadata = structure('BulkyMetadataType', { field: list(pair), id: attribute(string) });
export const bulkyMetadataDocument = document('BulkyMetadataDocument', bulkyMetadata);
type BulkyMetadata = Value<typeof bulkyMetadataDocument>;
export type BulkyPair = NonNullable<BulkyMetadata['field']>[number];
