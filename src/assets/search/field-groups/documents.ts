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
import { metadataFieldGroupType } from '../../definitions/public-reading.ts';
import { metadataGroupValue } from '../../metadata/public-reading.ts';

const result = structure('MetadataFieldResultGroupType', {
  value: element(metadataGroupValue),
  definition: element(metadataFieldGroupType),
  source: element(
    structure('MetadataFieldResultSourceType', {
      id: element(string),
      type: element(string).says('item, collection or global.'),
      loc: element(string),
    }),
  ),
  name: attribute(string),
  uuid: attribute(string),
  start: attribute(string),
  end: attribute(string),
});
export type UsedGroup = Value<typeof result>;

/** Metadata groups with their locations. */
export const metadataFieldResultDocument = document('MetadataFieldResultDocument', {
  hits: element(integer),
  group: list(result),
});
