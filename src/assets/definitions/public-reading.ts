export {
  askerOf,
  deniedFields,
  type FieldLevel,
  type FieldNames,
  type FieldReader,
  fieldRights,
  level,
  type Rights,
  wordOf,
} from './access/rights.ts';
export { type MetadataFieldGroup, metadataFieldGroupType, metadataFieldType } from './documents.ts';
export { fieldMustExist, fieldsNamed, insertReleaseField } from './fields/store.ts';
export { fieldGroupMustExist, maxDepth, removeFieldFromGroup } from './groups/store.ts';
export {
  definitionOf,
  type FieldDefinition,
  firstUses,
  loadFields,
  loadGroups,
  noSuchField,
  noSuchFieldGroup,
} from './known.ts';
export {
  checkFieldGroupName,
  checkFieldName,
  isOfRelease,
  maxFieldLength,
  maxGroupLength,
  releaseFields,
} from './names.ts';
export { isSortable, metadataField } from './tables.ts';
export { type BaseType, type Comparable, isText, valueTypeOf } from './types.ts';
