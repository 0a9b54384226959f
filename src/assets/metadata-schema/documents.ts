import { attribute, document, integer, list, string, structure, type Value } from '../../documents/describe.ts';
import { schemaElement } from '../definitions/documents.ts';

/** Under which it is kept. */
export const documentName = 'metadata-schema';

/** Which fields and groups a group of metadata has, and how often. It describes, and refuses nothing. */
const group = structure('MetadataSchemaGroupType', {
  group: list(schemaElement),
  field: list(schemaElement),
  min: attribute(integer),
  max: attribute(integer),
  name: attribute(string),
});

export const metadataSchemaGroupDocument = document('MetadataSchemaGroupDocument', group);
export const metadataSchemaDocument = document('MetadataSchemaDocument', { group: list(group) });
export type MetadataSchema = Value<typeof metadataSchemaDocument>;
