export {
  forgetAccess,
  guardedEntity,
  havingAmong,
  mayRead,
  mayWrite,
  ownerOf,
  readableAmong,
  readableIds,
} from './access.ts';
export { addEntries, type Grantee, type Grantor, granteeOf, grantorOf } from './entries/change.ts';
export { entryRequest, granteeNamed } from './entries/rules.ts';
export { type EntryRow, entriesOn, groupThere } from './entries/store.ts';
export { mergedAccessOf, mergedView } from './merged/merge.ts';
export { accessRoutes } from './routes.ts';
