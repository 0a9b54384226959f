import {
  attribute,
  boolean,
  content,
  dateTime,
  document,
  element,
  integer,
  lazy,
  list,
  named,
  orderedInJson,
  type Structure,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { pair } from '../../core/documents/shared-documents.ts';
import { metadataFieldType } from '../definitions/public-reading.ts';

/** Author and change set of an instance. Clients may send them back unchanged. */
const marks = {
  uuid: attribute(string).says('Addresses this instance, at any position in its timespan.'),
  user: attribute(string).outputOnly,
  timestamp: attribute(dateTime).outputOnly,
  change: attribute(string).outputOnly.says('The id of the change set.'),
  conflict: attribute(boolean).outputOnly.says(
    'Two change sets have different values, and the conflict is not resolved.',
  ),
  mode: attribute(string).says('"add" or "remove".'),
};

const metadataValue = structure('MetadataValueType', {
  ...marks,
  lang: attribute(string).says('A language tag such as en_US.'),
  value: content(string),
});

const referenced = structure('MetadataReferencedType', {
  id: attribute(string),
  type: attribute(string),
  uuid: attribute(string),
});

const shared = {
  name: element(string),
  id: list(string).outputOnly,
  referenced: element(referenced).outputOnly.says('Source of the values.'),
};
const cycle = attribute(boolean).outputOnly.says('The reference is circular.');

const metadataFieldValue = structure('MetadataFieldValueType', {
  ...shared,
  value: list(metadataValue),
  reference: element(string).says('The uuid of a field whose values are shown.'),
  data: list(pair).outputOnly,
  type: element(metadataFieldType).outputOnly.says('Definition of the field.'),
  ...marks,
  cycle,
  track: attribute(string).says('Track, such as A1 or V2.'),
  inheritance: attribute(string).says('Collection that the values are inherited from. Ignored in requests.'),
});
export type MetadataField = Value<typeof metadataFieldValue>;

/** Interface declared before the description, which refers to itself. */
export interface MetadataGroup {
  readonly name?: string | undefined;
  readonly id?: readonly string[] | undefined;
  readonly referenced?: Value<typeof referenced> | undefined;
  readonly field?: readonly MetadataField[] | undefined;
  readonly group?: readonly MetadataGroup[] | undefined;
  readonly reference?: string | undefined;
  readonly data?: readonly Value<typeof pair>[] | undefined;
  readonly uuid?: string | undefined;
  readonly user?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly change?: string | undefined;
  readonly conflict?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly cycle?: boolean | undefined;
  readonly inheritance?: string | undefined;
}

export const metadataGroupValue: Structure<MetadataGroup> = structure('MetadataGroupValueType', {
  ...shared,
  field: list(metadataFieldValue),
  group: list(lazy((): Structure<MetadataGroup> => metadataGroupValue)),
  reference: element(string).says('The uuid of a group whose fields are shown.'),
  data: list(pair).outputOnly,
  ...marks,
  cycle,
  inheritance: attribute(string).says('Collection that the group is inherited from. Ignored in requests.'),
});

const timespan = structure('MetadataTimespanType', {
  field: list(metadataFieldValue),
  group: list(metadataGroupValue),
  start: attribute(string).says('A time code such as 50@PAL or 3.5. Default: -INF.'),
  end: attribute(string).says('A time code. Default: +INF.'),
});
export type MetadataTimespan = Value<typeof timespan>;

/** Metadata of an item, a collection, or a global document. */
export const metadata = structure('MetadataType', {
  revision: element(string).says('Ids of the change sets of this metadata, comma-separated.'),
  template: element(string).says('Text that is kept without effect. An empty element removes it.'),
  group: list(string).says('The main field groups. An empty element removes all.'),
  timespan: list(timespan),
});
export const metadataDocument = document('MetadataDocument', metadata);
export type MetadataDocumentValue = Value<typeof metadataDocument>;

const terseValue = structure(
  'TerseValueType',
  { end: attribute(string), start: attribute(string), uuid: attribute(string), value: content(string) },
  orderedInJson,
);

/** Values by field in flat lists, including values in groups. */
export const terse = structure('TerseType', { values: named(terseValue) });

export const terseMetadataListDocument = document('TerseMetadataListDocument', {
  item: list(structure('TerseItemType', { values: named(terseValue), id: attribute(string) })),
});

const itemOfList = structure('MetadataListItemType', {
  metadata: element(metadata),
  id: attribute(string),
});
export const metadataList = structure('MetadataListType', { item: list(itemOfList) });
export const metadataListDocument = document('MetadataListDocument', metadataList);
export type MetadataListValue = Value<typeof metadataListDocument>;

const changeSet = structure('MetadataChangeSetEntryType', { id: element(string), metadata: element(metadata) });
export const metadataChangeSetDocument = document('MetadataChangeSetDocument', { changeSet: list(changeSet) });

const entry = {
  group: element(metadataGroupValue),
  field: element(metadataFieldValue),
  value: element(metadataValue),
  source: element(
    structure('MetadataEntrySourceType', {
      id: element(string),
      type: element(string),
      loc: element(string),
    }),
  ).outputOnly,
};
export const metadataEntryDocument = document('MetadataEntryDocument', entry);
export type MetadataEntry = Value<typeof metadataEntryDocument>;

const entryOfList = structure('MetadataEntryListEntryType', { ...entry, uuid: attribute(string) });
export const metadataEntryListDocument = document('MetadataEntryListDocument', { entry: list(entryOfList) });

const lock = structure('MetadataLockType', {
  id: element(string),
  user: element(string),
  expires: element(dateTime),
  field: list(string).says('Default: all fields.'),
});
export const metadataLockDocument = document('MetadataLockDocument', lock);
export type MetadataLock = Value<typeof metadataLockDocument>;
export const metadataLockListDocument = document('MetadataLockListDocument', { lock: list(lock) });

export const documentListDocument = document('DocumentListDocument', {
  hits: element(integer),
  document: list(structure('DocumentEntryType', { name: element(string), uri: element(string) })),
});

export const metadataDatasetListDocument = document('MetadataDatasetListDocument', {
  dataset: list(
    structure('MetadataDatasetEntryType', { name: element(string).required, uri: element(string).required }),
  ),
});
