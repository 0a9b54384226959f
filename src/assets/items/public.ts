export { bulkyMetadata, bulkyMetadataDocument, pairOf } from './bulky/rules.ts';
export { bulkyKeys, valuesOfKeys } from './bulky/store.ts';
export { newCollection } from './collections/change.ts';
export { otherwisePlaced } from './collections/folders-sql.ts';
export {
  collectionView,
  collectionWeights,
  folderOfItem,
  loadCollections,
  pathsInFolder,
  tellsMetadata,
  versionSequences,
} from './collections/load.ts';
export { joinNew } from './collections/members/change.ts';
export { membersNamed } from './collections/members/named.ts';
export { libraryItemsHook } from './collections/members/routes.ts';
export { leaveCollections, membersOfCollection, parentCollections } from './collections/members/store.ts';
export { readCollection } from './collections/routes.ts';
export { pathsFrom } from './content-paths.ts';
export { creatorOf, itemAhead, prepareItem } from './create.ts';
export { deletable, forgetDeletionLocks } from './deletion-locks/rules.ts';
export { collectionListDocument, collectionType, type Sequence, sequenceType } from './documents.ts';
export { itemEvent } from './events.ts';
export { annotations, type Comment, guestCommentsHook } from './guest-comments.ts';
export { profileKind, profileNamed } from './importing/store.ts';
export {
  beforeAll,
  findLibrary,
  itemsOfLibrary,
  type LibraryItem,
  type LibraryRow,
  libraryMustExist,
  nextItems,
} from './libraries-sql.ts';
export {
  libraryAt,
  libraryKind,
  libraryName,
  libraryNamed,
  readLibraries,
  writeLibraries,
} from './library-entity.ts';
export { itemView, itemWeights, loadItems, pathStarts, pictureUrisHook } from './load.ts';
export { readItem } from './routes.ts';
export type { ItemSettings, ItemsContext } from './settings.ts';
export { libraryQuery } from './tables.ts';
