import { attribute, bareInJson, content, document, element, list, string, structure, type Value } from '../describe.ts';

const simpleMetadataValue = structure(
  'SimpleMetadataValueType',
  {
    mode: attribute(string).says('"add" keeps existing values of the key.'),
    value: content(string).required,
  },
  bareInJson,
);

/** Key-value metadata of an entity. */
export const simpleMetadata = structure('SimpleMetadataType', {
  field: list(
    structure('SimpleMetadataFieldType', {
      key: element(string).required.says('May be a path: parts with "/" between them.'),
      value: element(simpleMetadataValue),
    }),
  ).most(1000),
});

export const simpleMetadataDocument = document('SimpleMetadataDocument', simpleMetadata);
export type SimpleMetadata = Value<typeof simpleMetadataDocument>;
