export {
  type AutoImportRow,
  findAutoImport,
  hasAutoImport,
  listAutoImports,
  putAutoImport,
  removeAutoImport,
  switchAutoImport,
} from './auto-import/store.ts';
export { disposition, downloadHeaders } from './bytes/downloads/disposition.ts';
export { download } from './bytes/downloads/download.ts';
export { createPublishing, discard } from './bytes/publishing/publish.ts';
export { createDestinations, type Writable } from './bytes/receiving/destination.ts';
export { type Announced as UploadAnnounced, receiveBytes, takesNew } from './bytes/receiving/receive.ts';
export { createSpace } from './bytes/receiving/space.ts';
export { findByName } from './bytes/transfers/store.ts';
export { storageRulesDocument } from './documents/rules.ts';
export { happened } from './events.ts';
export { fileAddresses, fileLocations } from './files/addresses.ts';
export { whenOf } from './files/changes/routes.ts';
export { applyFileValues } from './files/changes/rules.ts';
export { fileUnused, removeUses } from './files/changes/store.ts';
export { fileDocuments, listedFiles } from './files/documents.ts';
export { fileKind, read as readFiles } from './files/kinds.ts';
export { fileDocumentsOf } from './files/list/page.ts';
export { sortFields } from './files/list/parameters.ts';
export type { FileOrder } from './files/list/query.ts';
export { fileLots } from './files/list/store.ts';
export { extensionOf, inventAhead, inventPath, safeExtensionOf } from './files/naming/names.ts';
export { longestPath, newPath } from './files/path.ts';
export { noSuchFile, unable } from './files/refusals.ts';
export { findFilesBy } from './files/search/find.ts';
export { type FieldName, type FileSearch, fieldNames } from './files/search/rules.ts';
export { changeFile, type FileUses, hasAllBytes, newFile, noUses } from './files/states.ts';
export { type FileView, fileViewOf, plainFileView, viewParameters } from './files/view.ts';
export { finishPending } from './jobs/copying/copy-bytes.ts';
export { type CopyWish, copyOf, startCopy } from './jobs/copying/order.ts';
export { dropTarget, targetRow } from './jobs/copying/rules.ts';
export { fileDeletionJob, startDeletion } from './jobs/deleting/order.ts';
export type { FileJobParts } from './jobs/parts.ts';
export { beginReading, endReading, forgetJob, nameFile, notInJobs } from './jobs/store.ts';
export { fileOfJob, jobError, waitForBytes, waitsForFile } from './jobs/waits.ts';
export { isOwn, ownFolder, storageDriversOf } from './places/of-context.ts';
export { type StorageDrivers, schemeOf } from './places/places.ts';
export { DriverError, kindOfFailure, storageRefusal } from './places/refusals.ts';
export { chooseAhead, chooseStorage, noRules } from './rules/choose.ts';
export { ruleDocumentOf } from './rules/documents.ts';
export { type RuleResource, rulesAt, ruleWriting } from './rules/routes.ts';
export { byImportance, type StoredRule, winnerOf } from './rules/rules.ts';
export { type RuledStorage, ruledAmong, ruledPage, ruledStorages } from './rules/storages.ts';
export { type RuleRow, rulesAmong, takesFiles } from './rules/store.ts';
export type { MediaSettings } from './settings.ts';
export {
  read as readStorages,
  storageAt,
  storageGroupKind,
  storageKind,
  storageNamed,
  write as writeStorages,
} from './storages/kinds.ts';
export { fitsWildcard } from './storages/methods/wildcard.ts';
export { noSuchStorage } from './storages/rules.ts';
export { findStorage, type MethodRow, methodsOf, type StorageRow, storageThere } from './storages/store.ts';
export { type MediaTools, mediaTools } from './tools.ts';
