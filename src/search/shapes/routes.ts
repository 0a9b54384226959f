import { keyValuesOf, prepareWeights } from '../../entities/key-values/store.ts';
import { lotsOf } from '../../entities/page-weight.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, type MediaType } from '../../http/negotiation.ts';
import { choice, list, type QueryOf } from '../../http/parameters/index.ts';
import { renderLots } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { accountOf } from '../../security/caller.ts';
import { shapeListDocument } from '../../shapes/public-reading.ts';
import { searchPlanDocument } from '../documents/plan.ts';
import { type ItemSearch, itemSearchDocument } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import { explainSearch, parseSearch, searchFor, searchInQuery, searchParameters } from '../request.ts';
import { itemsOfShapes } from './store.ts';

const keyValueWeights = prepareWeights('shape');

/** Routes that search shapes, including placeholders. */
export function shapeSearchRoutes(parts: SearchParts): readonly Route[] {
  const { settings, render, store } = parts;
  const { save: _, ...parameters } = searchParameters(settings.maxPage);
  const query = { ...parameters, content: list(choice('Content of each shape in the answer', ['metadata'])) };

  async function answer(call: Call<QueryOf<typeof query>>, type: MediaType, document: ItemSearch): Promise<Reply> {
    if (call.query.explain) return explainSearch(parts, call, type, 'shape', document, call.query);
    const { hits, ids, next } = await searchFor(parts, call, 'shape', document, call.query);
    if (type === 'text/plain') return lines(ids.map((id) => [id]));
    const reader = store.reader(accountOf(call));
    const hasMetadata = call.query.content?.includes('metadata') ?? false;
    const weightOf = hasMetadata ? await keyValueWeights(reader, ids) : () => 0;
    const lots = lotsOf(ids, weightOf, settings.maxPageValues);
    return renderLots(render, type, shapeListDocument, { hits, nextCursor: next }, 'shape', lots, async (lot) => {
      const items = await itemsOfShapes(reader, lot);
      const metadata = hasMetadata ? await keyValuesOf(reader, 'shape', lot) : undefined;
      return lot.map((id) => ({
        id,
        ...(metadata && {
          metadata: { field: (metadata.get(id) ?? []).map(({ key, value }) => ({ key, value: { value } })) },
        }),
        item: [{ id: items.get(id)! }],
      }));
    });
  }

  const answers = [shapeListDocument, searchPlanDocument, 'text'] as const;
  const read = role('_item_shape_read');
  return [
    route({
      method: 'GET',
      path: '/search/shape',
      says: 'Shapes of items that the caller may read, the newest first, or those that a search finds.',
      query: { ...query, ...searchInQuery },
      answers,
      access: read,
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call, call.query.q)),
    }),
    route({
      method: 'PUT',
      path: '/search/shape',
      says: 'Searches shapes.',
      query,
      reads: ['nothing', itemSearchDocument],
      answers,
      access: read,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call)),
    }),
  ];
}
