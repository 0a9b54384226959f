export { indexedWords } from './index/words.ts';
export { joinHooks } from './joins.ts';
export { askUserOfJob, callerNamed, callerOfJob, callerWithId } from './libraries/callers.ts';
export { libraryOfItems } from './libraries/change.ts';
export { deletionOf as deletionOfLibrary } from './libraries/deletion.ts';
export { type LibrarySettings, sharedLibraryHook } from './libraries/parts.ts';
export type { JoinedRows } from './query/joined.ts';
export { sortsNames } from './query/names.ts';
export { itemsHaving } from './request.ts';
