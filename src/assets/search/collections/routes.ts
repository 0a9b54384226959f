import type { Route } from '../../../http/route.ts';
import { lotsOf } from '../../../room/entities/page-weight.ts';
import { readCollections } from '../../items/contract/entities.ts';
import {
  collectionListDocument,
  collectionView,
  collectionWeights,
  loadCollections,
  tellsMetadata,
} from '../../items/public.ts';
import type { KnownStates } from '../../metadata/public-reading.ts';
import type { SearchParts } from '../parts.ts';
import { searchReading } from '../reading.ts';
import { runSearch } from '../request.ts';
import { answerHits, searchRoutes } from '../routes.ts';

export const collectionSearchRoutes = (parts: SearchParts): readonly Route[] =>
  searchRoutes(parts, {
    kind: 'collection',
    path: '/collection',
    nouns: 'collections',
    says: { list: 'The collections that the caller may read, the newest first, or those that a search finds.' },
    document: collectionListDocument,
    access: readCollections,
    has: ['group', 'saved'],
    view: collectionView,
    async answer(call, request) {
      const page = await runSearch(parts, call, searchReading, request);
      const ids = [...new Set(page.ids)];
      return answerHits(call, { ...page, ids }, collectionListDocument, 'collection', async () => {
        const states: KnownStates = new Map();
        const weightOf = await collectionWeights(parts, call, ids, call.query, states);
        const most = tellsMetadata(call.query) ? parts.settings.maxPageValues : Number.POSITIVE_INFINITY;
        const lots = lotsOf(ids, weightOf, most);
        return { lots, load: (lot) => loadCollections(parts, call, lot, call.query, { known: states }) };
      });
    },
  });
