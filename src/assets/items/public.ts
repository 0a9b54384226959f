export { bulkyMetadata, bulkyMetadataDocument } from './bulky/documents.ts';
export { pairOf } from './bulky/rules.ts';
export { bulkyKeys, valuesOfKeys } from './bulky/store.ts';
export { newCollection } from './collections/change.ts';
export { otherwisePlaced } from './collections/folders/store.ts';
export {
  collectionView,
  collectionWeights,
  folderOfItem,
  loadCollections,
  pathsInFolder,
  tellsMetadata,
} from './collections/load.ts';
export { joinNew } from './collections/members/change.ts';
export { membersNamed } from './collections/members/named.ts';
export { leaveCollections, membersOfCollection } from './collections/members/store.ts';
export { parentCollections } from './collections/parents.ts';
export { collectionMember } from './collections/tables.ts';
export { versionSequences } from './collections/version-sequences.ts';
export { pathsFrom } from './content-paths.ts';
export { itemAhead, prepareItem } from './create.ts';
export { deletable, forgetDeletionLocks } from './deletion-locks/rules.ts';
export { collectionListDocument, collectionType } from './documents/collection.ts';
export { type Sequence, sequenceType } from './documents/sequence.ts';
export { happened } from './events.ts';
export { creatorOf } from './importing/entries.ts';
export { profileKind, profileNamed } from './importing/settings/store.ts';
export {
  libraryAt,
  libraryKind,
  libraryName,
  libraryNamed,
  read as readLibraries,
  write as writeLibraries,
} from './libraries/kinds.ts';
export {
  beforeAll,
  findLibrary,
  itemsOfLibrary,
  type LibraryItem,
  type LibraryRow,
  libraryMustExist,
  nextItems,
} from './libraries/store.ts';
export { library, libraryItem, libraryQuery, type UpdateMode, updateModes } from './libraries/tables.ts';
export { itemView, itemWeights, loadItems, pathStarts } from './load.ts';
export type { ItemSettings, ItemsContext } from './settings.ts';
