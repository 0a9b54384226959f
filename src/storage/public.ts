export {
  type AutoImportRow,
  findAutoImport,
  hasAutoImport,
  listAutoImports,
  putAutoImport,
  removeAutoImport,
  switchAutoImport,
} from './auto-import-sql.ts';
export { disposition, download, downloadHeaders } from './bytes/download.ts';
export { createPublishing, discard, isRefusal } from './bytes/publishing/publish.ts';
export { ByteSource, sourceStream } from './bytes/receiving/byte-source.ts';
export { createDestinations, type Writable } from './bytes/receiving/destination.ts';
export { receiveBytes, takesNew, type UploadAnnounced } from './bytes/receiving/receive.ts';
export { createSpace } from './bytes/receiving/upload-limits.ts';
export { findByName } from './bytes/transfers/store.ts';
export { uploadMetadata } from './bytes/tus-protocol.ts';
export { uploads } from './bytes/tus-routes.ts';
export {
  abandonHook,
  bytesAllowedHook,
  bytesQuotaHook,
  fileDeletableHook,
  fileNameHook,
  type NewBytes,
  originalNameHook,
  type RuleSubjects,
  ruledByHook,
  type UploadImports,
  uploadImportsHook,
  useOfFileHook,
  usesOfFilesHook,
  wantedPathsHook,
} from './contract.ts';
export { storageRulesDocument } from './documents.ts';
export {
  DriverError,
  isOwn,
  kindOfFailure,
  ownFolder,
  type StorageDrivers,
  schemeOf,
  storageDriversOf,
  storageRefusal,
} from './drivers.ts';
export { storageEvent } from './events.ts';
export { type AutoAddresses, autoAddresses } from './files/auto-addresses.ts';
export { whenOf } from './files/changes/routes.ts';
export { applyFileValues } from './files/changes/rules.ts';
export {
  addressParameters,
  chosenFileViewOf,
  type FileView,
  fileChoiceParameters,
  fileDocuments,
  fileViewOf,
  listedFiles,
  plainFileView,
  viewParameters,
  withoutAddresses,
} from './files/documents.ts';
export {
  fileAddresses,
  fileKind,
  fileLocations,
  filePaths,
  placesAt,
  readFiles,
  usesOfFile,
  writeFiles,
} from './files/entity.ts';
export { fileHashes, keptAlgorithms, sha256Of } from './files/hashes.ts';
export { addressEnd, createLinkSignatures, type LinkScheme, linkSchemes, signedByStorage } from './files/links.ts';
export { fileDocumentsOf } from './files/list/page.ts';
export type { FileOrder } from './files/list/query.ts';
export { sortFields } from './files/list/query.ts';
export { fileLots } from './files/list/store.ts';
export { extensionOf, inventAhead, inventPath, safeExtensionOf } from './files/naming.ts';
export { maxPathLength, newPath } from './files/path.ts';
export { changeFile, type FileUses, hasAllBytes, newFile, noSuchFile, noUses, unable } from './files/rules.ts';
export { type FieldName, type FileSearch, fieldNames, findFilesBy } from './files/search.ts';
export { fileUnused, removeUses } from './files/store.ts';
export { folderAndLocation, type HandOver, type SendfileSettings, sendfileHeader, withHandOver } from './hand-over.ts';
export { finishPending } from './jobs/copying/copy-bytes.ts';
export { type CopyRequest, copyOf, startCopy } from './jobs/copying/order.ts';
export { dropTarget, targetRow } from './jobs/copying/rules.ts';
export { fileDeletionJob, startDeletion } from './jobs/deletion.ts';
export type { FileJobParts } from './jobs/file-job.ts';
export { fileOfJob, jobError, waitForBytes, waitsForFile } from './jobs/file-job.ts';
export { beginReading, endReading, forgetJob, nameFile, notInJobs } from './jobs/store.ts';
export { isStillThere, lookAt, lookError, type ReachableMethod } from './scanning/look.ts';
export type { StorageSettings } from './settings.ts';
export { chooseAhead, chooseStorage, noRules } from './storage-rules/choice.ts';
export { type RuleResource, ruleDocumentOf, rulesAt, ruleWriting } from './storage-rules/routes.ts';
export { type RuledStorage, ruledAmong, ruledPage, ruledStorages } from './storage-rules/ruled-storages.ts';
export { byImportance, type StoredRule, winnerOf } from './storage-rules/rules.ts';
export { type RuleRow, rulesAmong, takesFiles } from './storage-rules/store.ts';
export {
  readStorages,
  storageAt,
  storageGroupKind,
  storageKind,
  storageNamed,
  writeStorages,
} from './storages/entity.ts';
export { noSuchStorage } from './storages/rules.ts';
export { findStorage, type MethodRow, methodsOf, type StorageRow, storageThere } from './storages/store.ts';
export { type MediaTools, mediaTools } from './tools.ts';
