export {
  attachmentAt,
  attachmentsOfItem,
  entitiesOf,
  keptForms,
  keptReply,
  ofCollection,
  ownerIn,
} from './attachments/places.ts';
export { clearRoute, formatsRoute, keptRoutes } from './attachments/routes.ts';
export {
  type AttachmentKind,
  deleteAttachment,
  keepAttachment,
  missingAttachment,
} from './attachments/rules.ts';
export {
  type AttachmentOwner,
  type AttachmentRow,
  attachmentThere,
  findAttachment,
  namesOfAttachments,
  removeAttachment,
  writeAttachment,
} from './attachments/store.ts';
export { itemNamesFor } from './caller-names.ts';
export { changeMetadata } from './change.ts';
export { readDocuments } from './document-routes.ts';
export { entryIn } from './entries.ts';
export {
  advanceChange,
  changedCollection,
  changedItems,
  changeStands,
  changesDue,
  countChanges,
  forgetCollection,
  forgetItems,
  insertChanges,
  membersBehind,
} from './inherited/store.ts';
export { expectUnlocked } from './locks/rules.ts';
export { renameInLocks } from './locks/store.ts';
export { newestOfLog } from './log/change.ts';
export { stateOfChangeSet, statesOfSets } from './log/states.ts';
export type { ChangeSet, Deletions } from './merge/replay.ts';
export type { FieldRequest, GroupRequest, MetadataRequest } from './merge/request.ts';
export { metadataRequestInSteps, metadataRequestOf } from './merge/request.ts';
export type { ReshapeStep } from './merge/reshape.ts';
export { collectionPlace, itemPlace, type MetadataResource } from './places.ts';
export {
  type Projection,
  type ProjectionDirection,
  projectionNamed,
  projections,
  stylesheetText,
} from './projections.ts';
export {
  displayNamesOf,
  documentsOf,
  firstValuesOf,
  metadataOf,
  metadataTold,
  metadataWeights,
  terseOf,
} from './read.ts';
export type { MetadataContext, MetadataSettings } from './settings.ts';
export { documentPage } from './store.ts';
export { attachment, bulkyValue } from './tables.ts';
export {
  type ColumnPath,
  columnAndHead,
  columnPaths,
  fieldsIn,
  groupsIn,
  isTimeColumn,
  rowsOfColumns,
  textsOf,
} from './view/columns.ts';
export { type MetadataView, metadataView, storedView, terseView, unfiltered, viewOf } from './view/parameters.ts';
export {
  type ChangeSetRequest,
  checkedRequest,
  forgetMetadata,
  prepareMetadata,
  prepareRequests,
  systemChange,
} from './write.ts';
