export { type ClosedParts, closedTo } from './closed/closed.ts';
export { type ClosedIn, closedShapeWhere, closedWhere } from './closed/store.ts';
export {
  type AccessTarget,
  isAtLeast,
  type Operation,
  operationTypes,
  placeKey,
  type RequiredLevel,
} from './levels.ts';
export { accessListParameters, listPageOf, nextCursorOf } from './lists/parameters.ts';
export { type ListPage, listEntities } from './lists/store.ts';
export { accessControlMergedDocument, type FieldPermission, type GroupPermission } from './merged/documents.ts';
export { principalsOf } from './reading.ts';
export { notYours } from './refusals.ts';
export { type Condition, contextWhere, readableItems, readableSerial, readableWhere } from './store.ts';
export { importSettings } from './tables.ts';
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
  type Viewer,
  type ViewerFor,
  viewerFor,
} from './viewer.ts';
export { viewerOfGroup, viewerOfUser } from './viewers-of.ts';
