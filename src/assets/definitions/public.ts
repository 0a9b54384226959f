export { allGroups, noSuchName, readFieldGroup } from './entities.ts';
export { data, fieldDocuments, keyFilterOf } from './fields/documents.ts';
export { systemStays } from './fields/rules.ts';
export { groupDocuments } from './groups/documents.ts';
export { bounded, nested } from './groups/rules.ts';
export { externalIdPlace, giveExternalIds } from './namespaces/give.ts';
export {
  copyMember,
  forgetKept,
  nameIsFree,
  nameIsNotLeaving,
  removeDefinition,
  renameDefinition,
  schemaMigration,
} from './reshaping-sql.ts';
export { documentName, type MetadataSchema, storedSchema } from './schema-routes.ts';
export { checkValue } from './values.ts';
