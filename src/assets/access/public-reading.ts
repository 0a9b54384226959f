export { type ClosedParts, closedTo, nothingClosed } from './closed-parts.ts';
export { type ClosedIn, closedShapeWhere, closedWhere } from './closed-sql.ts';
export {
  type AccessTarget,
  isAtLeast,
  type Operation,
  operationTypes,
  type RequiredLevel,
  targetKey,
} from './levels.ts';
export { accessListParameters, belowOf, cursorAt, cursorBehindIds, listPageOf } from './list-parameters.ts';
export { type ListPage, listEntities, readableMembers } from './lists-sql.ts';
export { accessControlMergedDocument, type FieldPermission, type GroupPermission } from './merged/documents.ts';
export { mergedReading } from './merged/merge.ts';
export { placedAhead, principalsFor } from './reading.ts';
export { placed } from './reading-sql.ts';
export {
  type Condition,
  contextWhere,
  idsAmong,
  mayHaveAll,
  readableItems,
  readableSerial,
  readableWhere,
} from './store.ts';
export { importAccess, importSettings } from './tables.ts';
export {
  type AccessSubject,
  accessOf,
  askingOf,
  isReadableBy,
  lacking,
  levelsOn,
  maySee,
  mustHave,
  mustHaveSome,
  notYours,
  readersAmong,
  type Viewer,
  type ViewerFor,
  viewerFor,
  viewerOfGroup,
  viewerOfUser,
} from './viewer.ts';
