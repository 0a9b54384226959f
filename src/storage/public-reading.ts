export { type File, fileListDocument, fileType } from './documents.ts';
export {
  type FileRow,
  fileAt,
  findFile,
  isLocal,
  type NewFile,
  pathNames,
  sameBytes,
  usesOf,
} from './files/store.ts';
export { file, fileUse, storage, storageGroupMember, storageMethod } from './tables.ts';
