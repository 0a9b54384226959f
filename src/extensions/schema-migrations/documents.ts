import { metadataFieldGroupType, metadataFieldType } from '../../assets/definitions/public-reading.ts';
import {
  attribute,
  boolean,
  careful,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

/** Path of a field or group through its groups. */
const hierarchy = structure('MetadataSchemaHierarchyType', {
  group: element(metadataFieldGroupType),
  field: element(metadataFieldType),
});
export type Hierarchy = Value<typeof hierarchy>;

const what = attribute(string).says('"field" or "group". Optional if the hierarchy has it.');

const move = structure('MetadataSchemaMoveOperationType', {
  from: element(hierarchy).required,
  to: element(hierarchy).required.says('The target group, or the new name with its groups.'),
  type: what,
});

const rename = structure('MetadataSchemaRenameOperationType', {
  from: element(hierarchy).required,
  to: element(string).required,
});

const remove = structure('MetadataSchemaDeleteOperationType', {
  target: element(hierarchy).required.says('Without enclosing groups: the definition and all values.'),
  type: what,
});

const migration = structure('MetadataSchemaMigrationType', {
  done: element(boolean).outputOnly,
  migrationsLeft: element(integer).outputOnly.says('Approximate number of entities that are not processed yet.'),
  move: list(move),
  rename: list(rename),
  delete: list(remove),
  id: attribute(integer).outputOnly,
});

/** Operations on definitions and all metadata, applied in this order. */
export const metadataSchemaMigrationDocument = careful(document('MetadataSchemaMigrationDocument', migration));
export type SchemaMigration = Value<typeof metadataSchemaMigrationDocument>;

export const metadataSchemaMigrationListDocument = document('MetadataSchemaMigrationListDocument', {
  migration: list(migration),
});
