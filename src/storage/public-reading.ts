export { type File, fileListDocument, fileType } from './documents.ts';
export { type FileRow, fileAt, findFile, type NewFile, pathNames, usesOf } from './files/store.ts';
export { file, fileUse, storage, storageGroupMember, storageMethod } from './tables.ts';
