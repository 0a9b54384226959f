import {
  attribute,
  careful,
  dateTime,
  document,
  element,
  list,
  string,
  type Value,
} from '../../../core/documents/describe.ts';

export const configurationPropertyDocument = careful(
  document('ConfigurationPropertyDocument', {
    lastChange: attribute(dateTime).outputOnly,
    key: element(string).required,
    value: element(string),
  }),
);
export type ConfigurationProperty = Value<typeof configurationPropertyDocument>;

export const configurationPropertyListDocument = careful(
  document('ConfigurationPropertyListDocument', {
    property: list(configurationPropertyDocument.structure),
  }),
);
export type ConfigurationPropertyList = Value<typeof configurationPropertyListDocument>;
