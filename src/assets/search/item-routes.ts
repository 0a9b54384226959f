import { baseOf } from '../../http/address.ts';
import { nameLeftOut } from '../../http/call.ts';
import { command } from '../../http/command.ts';
import { choice, flag } from '../../http/parameters/index.ts';
import { plain, type Reply } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import { lotsThatFit } from '../../room/entities/page-weight.ts';
import { collectionAt, readItems } from '../items/contract/entities.ts';
import { itemView, itemWeights, loadItems } from '../items/public.ts';
import { itemListDocument } from '../items/public-reading.ts';
import type { KnownStates } from '../metadata/public-reading.ts';
import { entryAt, itemListReading } from './item-list.ts';
import { keepResult, libraryResult, libraryScope, libraryScopeOf } from './libraries/result.ts';
import type { SearchParts } from './parts.ts';
import { searchReading } from './reading.ts';
import { runSearch } from './request.ts';
import { answerHits, type Searched, searchRoutes } from './routes.ts';

export const listCollection = command<Reply>()('GET', '/collection/:collection/item');

/** Routes that search items: all, or those of a collection. */
export function itemSearchRoutes(parts: SearchParts): readonly Route[] {
  const { settings, store, property } = parts;
  const view = {
    url: flag('Whether a text answer has addresses instead of ids', false),
    ...libraryScope,
    ...itemView,
  };

  const answer: Searched<typeof view, typeof libraryResult>['answer'] = async (call, request) => {
    const { content = [], p, url, result } = call.query;
    const isText = call.type === 'text/plain';
    const library = result === 'library' ? await keepResult(parts, call, call.query, request) : undefined;
    if (isText && library !== undefined) return plain(library);
    if (isText || (content.length === 0 && p === undefined)) {
      const before = url ? `${baseOf(call)}/item/` : '';
      const namespace = settings.schemaNamespace;
      return runSearch(parts, call, itemListReading, { type: call.type, before, library, namespace, ...request });
    }
    const hitsPage = await runSearch(parts, call, searchReading, request);
    const page = { ...hitsPage, extras: { library, ...hitsPage.extras } };
    return answerHits(call, page, itemListDocument, 'item', async () => {
      const states: KnownStates = new Map();
      const weightOf = await itemWeights(parts, call, [...new Set(hitsPage.ids)], call.query, states);
      const places = [...hitsPage.ids.keys()];
      const { lots, leftOut } = lotsThatFit(places, (at) => weightOf(hitsPage.ids[at]!), settings.maxPageValues);
      nameLeftOut(
        call.trace,
        [...leftOut].map((at) => hitsPage.ids[at]!),
      );
      const load = async (lot: readonly number[]) => {
        const ids = new Set(lot.flatMap((at) => (leftOut.has(at) ? [] : hitsPage.ids[at]!)));
        const items = await loadItems(parts, call, [...ids], call.query, { states, type: call.type });
        const byId = new Map(items.map((item) => [item.id, item]));
        return lot.flatMap((at) => {
          if (leftOut.has(at)) return entryAt(hitsPage, at);
          const item = byId.get(hitsPage.ids[at]!);
          return item ? entryAt(hitsPage, at, item) : [];
        });
      };
      return { lots, load };
    });
  };

  const order = {
    order: choice('Order of hits without a sort. Default: by the property indexCollectionItemOrder', [
      'collection',
      'creation',
    ]),
  };

  const items = {
    kind: 'item',
    document: itemListDocument,
    view,
    keeping: libraryResult,
    answer,
  } as const;
  return [
    ...searchRoutes(parts, {
      ...items,
      path: '/item',
      second: '/search2/item',
      nouns: 'items',
      says: { list: 'The items that the caller may read, the newest first, or those that a search finds.' },
      access: role('_item_search'),
      listAccess: readItems,
      has: ['group', 'saved'],
      options: (call) => libraryScopeOf(parts, call, call.query.library),
    }),
    ...searchRoutes(parts, {
      ...items,
      path: listCollection.path,
      entities: { collection: collectionAt(store)('READ') },
      nouns: 'items of a collection',
      says: {
        list: 'The items of a collection that the caller may read, or those that a search finds.',
        search: 'Searches the items of a collection.',
      },
      view: { ...view, ...order },
      answer: (call, request) => answer(call, request),
      access: role('_collection_read'),
      has: ['saved'],
      /** In order of creation, or in that of the collection. */
      async options(call, { collection: { id } }) {
        const wanted = call.query.order;
        const keepsOrder =
          wanted === undefined ? (await property('indexCollectionItemOrder')) === 1 : wanted === 'collection';
        const order = keepsOrder ? { signature: 'places', membersOf: id } : { signature: 'ascending' };
        return { collection: id, order, ...(await libraryScopeOf(parts, call, call.query.library)) };
      },
    }),
  ];
}
