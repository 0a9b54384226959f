import { lotsOf } from '../../entities/page-weight.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, type MediaType } from '../../http/negotiation.ts';
import type { QueryOf } from '../../http/parameters/index.ts';
import { renderLots } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { read } from '../../items/contract/collection/kind.ts';
import {
  collectionListDocument,
  collectionView,
  collectionWeights,
  loadCollections,
  tellsMetadata,
} from '../../items/public.ts';
import type { KnownStates } from '../../metadata/public-reading.ts';
import { searchPlanDocument } from '../documents/plan.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import {
  explainSearch,
  parseGroupSearch,
  parseSearch,
  searchFor,
  searchInQuery,
  searchParameters,
} from '../request.ts';
import { save, savedSearch } from '../saved/saved.ts';

export function collectionSearchRoutes(parts: SearchParts): readonly Route[] {
  const { settings, render } = parts;
  const query = { ...searchParameters(settings.maxPage), ...collectionView };
  const { save: _save, ...unsaved } = query;

  async function answer(call: Call<QueryOf<typeof query>>, type: MediaType, document: ItemSearch): Promise<Reply> {
    if (call.query.save) return save(parts, call, document);
    if (call.query.explain) return explainSearch(parts, call, type, 'collection', document, call.query);
    const found = await searchFor(parts, call, 'collection', document, call.query);
    const { hits, next, besides } = found;
    const ids = [...new Set(found.ids)];
    if (type === 'text/plain') return lines(ids.map((id) => [id]));
    const known: KnownStates = new Map();
    const weightOf = await collectionWeights(parts, call, ids, call.query, known);
    const most = tellsMetadata(call.query) ? settings.maxPageValues : Number.POSITIVE_INFINITY;
    const value = { hits, ...besides, nextCursor: next };
    return renderLots(render, type, collectionListDocument, value, 'collection', lotsOf(ids, weightOf, most), (lot) =>
      loadCollections(parts, call, lot, call.query, { known }),
    );
  }

  const answers = [collectionListDocument, searchPlanDocument, 'text'] as const;
  return [
    route({
      method: 'GET',
      path: '/collection',
      says: 'The collections that the caller may read, the newest first, or those that a search finds.',
      query: { ...query, ...searchInQuery },
      answers,
      access: read,
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call, call.query.q)),
    }),
    route({
      method: 'PUT',
      path: '/collection',
      says: 'Searches collections.',
      query,
      reads: ['nothing', itemSearchDocument],
      answers,
      access: read,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call)),
    }),
    route({
      method: 'PUT',
      path: '/collection/metadata-group',
      says: 'Searches collections in which one instance of any group matches all criteria.',
      query: unsaved,
      reads: ['nothing', metadataGroupSearchDocument],
      answers,
      access: read,
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) =>
        answer({ ...call, query: { ...call.query, save: false } }, type, await parseGroupSearch(parts, call)),
    }),
    route({
      method: 'GET',
      path: '/collection/saved/:hash',
      says: 'The collections that a saved search finds now.',
      query,
      answers,
      access: read,
      produces: documentOrText,
      handle: async (call, type, params) => answer(call, type, await savedSearch(parts, params.hash)),
    }),
  ];
}
