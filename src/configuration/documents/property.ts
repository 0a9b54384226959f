import { attribute, dateTime, document, element, list, string, type Value } from '../../documents/describe.ts';

export const configurationPropertyDocument = document('ConfigurationPropertyDocument', {
  lastChange: attribute(dateTime).outputOnly,
  key: element(string).required,
  value: element(string),
});
export type ConfigurationProperty = Value<typeof configurationPropertyDocument>;

export const configurationPropertyListDocument = document('ConfigurationPropertyListDocument', {
  property: list(configurationPropertyDocument.structure),
});
export type ConfigurationPropertyList = Value<typeof configurationPropertyListDocument>;
