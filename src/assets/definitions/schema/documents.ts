import { attribute, document, integer, list, string, structure, type Value } from '../../../core/documents/describe.ts';
import { schemaElement } from '../documents.ts';

/** Name of the stored document. */
export const documentName = 'metadata-schema';

/** Fields and groups of a metadata group, with occurrence limits. Descriptive: nothing is validated against it. */
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
