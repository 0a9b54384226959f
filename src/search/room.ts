import { defineRoom } from '../room/define-room.ts';
import { autocompleteRequestDocument, autocompleteResponseDocument, itemSearchDocument } from './documents/search.ts';
import { metadataFieldResultDocument } from './field-groups/documents.ts';
import { fieldGroupSearchRoutes } from './field-groups/routes.ts';
import { indexParticipant } from './index/participant.ts';
import { embeddedIndex } from './index/store.ts';
import { searchMigration } from './migrations/0018-search.ts';
import type { SearchParts } from './parts.ts';
import * as tables from './tables.ts';

/** Finds items, collections and shapes. Its index changes in the commits that change their metadata. */
export const search = defineRoom({
  name: 'search',
  tables,
  migrations: [searchMigration],
  documents: [
    itemSearchDocument,
    autocompleteRequestDocument,
    autocompleteResponseDocument,
    metadataFieldResultDocument,
  ],
  open(parts: SearchParts) {
    const { store } = parts;
    return { routes: fieldGroupSearchRoutes(parts), participants: [indexParticipant(store, embeddedIndex)] };
  },
});
