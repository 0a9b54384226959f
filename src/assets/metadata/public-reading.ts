export { isKept, readableFields } from './allowed.ts';
export { deletionsIn } from './deleted-fields.ts';
export { displayName, nameInStates, namingFields, namingProperty } from './display-name.ts';
export {
  type MetadataDocumentValue,
  type MetadataField,
  type MetadataGroup,
  type MetadataListValue,
  type MetadataTimespan,
  metadata,
  metadataDocument,
  metadataGroupValue,
  metadataList,
  metadataListDocument,
  terse,
} from './documents.ts';
export { heirsAmong, inheritedBy } from './inherited/inherit.ts';
export {
  type KnownStates,
  loadAll,
  loadMetadata,
  loadRows,
  loadThere,
  longText,
  mayHaveGone,
  metadataAhead,
  newMetadataAhead,
  rowsThere,
  type StateRow,
} from './load.ts';
export { namesIn } from './merge/changes.ts';
export { payloadOf, withPayloads } from './merge/payload.ts';
export {
  type Contents,
  copyState,
  emptyState,
  fieldKey,
  generic,
  type MetadataState,
  maxValues,
  type Span,
  type StoredGroup,
  spanKeyOf,
  uuidOfInstance,
} from './merge/state.ts';
export { stateOfText } from './merge/stored.ts';
export { changeSetOfEvent, forgetKeptSets, payloadBytes } from './payload-sql.ts';
export type { MetadataOwner, OwnerKind } from './store.ts';
