import { below } from '../../http/route-group.ts';
import { createProperties } from '../../identity/api-settings/public-reading.ts';
import { defineRoom } from '../../room/define-room.ts';
import { bothSearchRoutes, collectionSearchRoutes } from './collection-routes.ts';
import { documentSearchRoutes } from './document-routes.ts';
import {
  autocompleteRequestDocument,
  autocompleteResponseDocument,
  itemSearchDocument,
  metadataFieldResultDocument,
  metadataGroupSearchDocument,
  reindexRequestDocument,
  searchHistoryDocument,
  searchPlanDocument,
  searchResultDocument,
} from './documents.ts';
import { fieldGroupSearchRoutes } from './field-group-routes.ts';
import { createSearchHistory } from './history.ts';
import { historyRoutes } from './history-routes.ts';
import { feedKinds } from './index/feed-work.ts';
import { createInheritance } from './index/inheritance-work.ts';
import { orderKind } from './index/order-work.ts';
import { indexParticipant } from './index/participant.ts';
import { reindexRoutes } from './index/reindex-routes.ts';
import { reindexKind } from './index/reindex-work.ts';
import { embeddedIndex } from './index/store.ts';
import { searchSchema } from './index/triggers-sql.ts';
import { itemSearchRoutes } from './item-routes.ts';
import type { SearchContext } from './parts.ts';
import { searchProperties } from './parts.ts';
import { fileSearchRoutes, shapeSearchRoutes } from './shape-routes.ts';
import { forgetSearches } from './store.ts';
import * as tables from './tables.ts';

/** Room of searches for items, collections and shapes. Commits that change metadata update the index. */
export const search = defineRoom({
  name: 'search',
  tables,
  schema: searchSchema,
  properties: searchProperties,
  documents: [
    autocompleteRequestDocument,
    autocompleteResponseDocument,
    itemSearchDocument,
    metadataFieldResultDocument,
    metadataGroupSearchDocument,
    reindexRequestDocument,
    searchHistoryDocument,
    searchPlanDocument,
    searchResultDocument,
  ],
  open(context: SearchContext) {
    const inheritance = createInheritance(context);
    const parts = {
      ...context,
      caughtUp: inheritance.caughtUp,
      property: createProperties(context.store, searchProperties),
      history: createSearchHistory(context),
    };
    return {
      routes: [
        below(['item', 'collection'], () => itemSearchRoutes(parts)),
        below('collection', () => collectionSearchRoutes(parts)),
        below('search', () => bothSearchRoutes(parts)),
        below('search', () => shapeSearchRoutes(parts)),
        below('search', () => fileSearchRoutes(parts)),
        below(['item', 'collection'], () => historyRoutes(parts)),
        below(['reindex', 'item'], () => reindexRoutes(parts)),
        below('metadata-field', () => fieldGroupSearchRoutes(parts)),
        below('document', () => documentSearchRoutes(parts)),
      ],
      participants: [indexParticipant(context.store, embeddedIndex)],
      workers: [reindexKind(context), orderKind(context), inheritance.kind, ...feedKinds(context)],
      onDelete: {
        user({ names }) {
          parts.history.forget(names);
          return [forgetSearches({ names })];
        },
      },
      close: parts.history.close,
    };
  },
});
