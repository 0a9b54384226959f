import { choice, list } from '../../../http/parameters/index.ts';
import { type Route, role } from '../../../http/route.ts';
import { keyValuesOf, prepareWeights } from '../../../room/entities/key-values/store.ts';
import { lotsOf } from '../../../room/entities/page-weight.ts';
import { shapeListDocument } from '../../shapes/public-reading.ts';
import type { SearchParts } from '../parts.ts';
import { searchReading } from '../reading.ts';
import { runSearch } from '../request.ts';
import { answerHits, searchRoutes } from '../routes.ts';
import { itemsOfShapes } from '../store.ts';

const keyValueWeights = prepareWeights('shape');

/** Routes that search shapes, including placeholders. */
export const shapeSearchRoutes = (parts: SearchParts): readonly Route[] =>
  searchRoutes(parts, {
    kind: 'shape',
    path: '/search/shape',
    nouns: 'shapes',
    says: { list: 'Shapes of items that the caller may read, the newest first, or those that a search finds.' },
    document: shapeListDocument,
    access: role('_item_shape_read'),
    has: [],
    view: { content: list(choice('Content of each shape in the answer', ['metadata'])) },
    async answer(call, request) {
      const { hits, ids, next } = await runSearch(parts, call, searchReading, request);
      return answerHits(call, { hits, ids, next }, shapeListDocument, 'shape', async () => {
        const { reader } = call;
        const hasMetadata = call.query.content?.includes('metadata') ?? false;
        const weightOf = hasMetadata ? await keyValueWeights(reader, ids) : () => 0;
        const load = async (lot: readonly string[]) => {
          const items = await itemsOfShapes(reader, lot);
          const metadata = hasMetadata ? await keyValuesOf(reader, 'shape', lot) : undefined;
          return lot.map((id) => ({
            id,
            ...(metadata && {
              metadata: { field: (metadata.get(id) ?? []).map(({ key, value }) => ({ key, value: { value } })) },
            }),
            item: [{ id: items.get(id)! }],
          }));
        };
        return { lots: lotsOf(ids, weightOf, parts.settings.maxPageValues), load };
      });
    },
  });
