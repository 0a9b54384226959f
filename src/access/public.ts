export { forgetAccess, guardedEntity, havingAmong, mayRead, mayWrite, ownerOf, readableAmong } from './access.ts';
export { addEntries, type Grantor, grantorOf } from './entries/change.ts';
export { type AccessResource, placeIn } from './entries/routes.ts';
export { entryWish } from './entries/rules.ts';
export { type EntryRow, entriesOn, groupThere } from './entries/store.ts';
export { readableIds, renderUris } from './lists/uris.ts';
export { mergedAccessOf, mergedView } from './merged/content.ts';
export { accessRoutes } from './routes.ts';
