import { Recent } from '../../core/lib/recent.ts';
import { below } from '../../http/route-group.ts';
import { createProperties } from '../../identity/api-settings/public-reading.ts';
import { defineRoom } from '../../room/define-room.ts';
import { bothSearchRoutes } from './both/routes.ts';
import { collectionSearchRoutes } from './collections/routes.ts';
import { searchPlanDocument } from './documents/plan.ts';
import { reindexRequestDocument, searchHistoryDocument, searchResultDocument } from './documents/results.ts';
import {
  autocompleteRequestDocument,
  autocompleteResponseDocument,
  itemSearchDocument,
  metadataGroupSearchDocument,
} from './documents/search.ts';
import { feedKinds } from './feed/kind.ts';
import { metadataFieldResultDocument } from './field-groups/documents.ts';
import { fieldGroupSearchRoutes } from './field-groups/routes.ts';
import { fileSearchRoutes } from './files/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { forgetSearches } from './history/store.ts';
import { indexParticipant } from './index/participant.ts';
import { embeddedIndex } from './index/store.ts';
import { searchSchema } from './index/triggers-sql.ts';
import { createInheritance } from './inherited/kind.ts';
import { itemSearchRoutes } from './items/routes.ts';
import { documentSearchRoutes } from './metadata-documents/routes.ts';
import { orderKind } from './ordered/kind.ts';
import type { CachedSearch, SearchContext } from './parts.ts';
import { searchProperties } from './properties.ts';
import { reindexKind } from './reindex/kind.ts';
import { reindexRoutes } from './reindex/routes.ts';
import { shapeSearchRoutes } from './shapes/routes.ts';
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
      searchCache: new Recent<string, Map<string, CachedSearch>>(2_000),
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
      onDelete: { user: ({ names }) => [forgetSearches({ names })] },
    };
  },
});
