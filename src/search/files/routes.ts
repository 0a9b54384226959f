import type { Call } from '../../http/call.ts';
import { documentOrText, type MediaType } from '../../http/negotiation.ts';
import { pageOf, type QueryOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import {
  checkPage,
  checkPageWithUses,
  documentsOf,
  findFilesBy,
  readFiles as read,
  viewOf,
  viewParameters,
} from '../../media/public.ts';
import { fileListDocument } from '../../media/public-reading.ts';
import { accountOf } from '../../security/caller.ts';
import { searchPlanDocument } from '../documents/plan.ts';
import { type ItemSearch, itemSearchDocument } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import { answerPlan, explainSearch, parseSearch, searchFor, searchInQuery, searchParameters } from '../request.ts';
import { save, savedSearch } from '../saved/saved.ts';
import { plainSearchOf } from './plain.ts';

/** Oldest first, as in lists of files. */
const order = { signature: 'files' };

interface FileHits {
  readonly hits: number | undefined;
  readonly ids: readonly string[];
  readonly next: string | undefined;
}

/** Routes that search files, by their properties and by linked entities. */
export function fileSearchRoutes(parts: SearchParts): readonly Route[] {
  const { settings, render, store } = parts;
  const query = { ...searchParameters(settings.maxPage), ...viewParameters };
  type Query = QueryOf<typeof query>;

  const plainSearch = ({ query: { cursor } }: Call<Query>, document: ItemSearch) =>
    cursor === undefined ? plainSearchOf(document) : undefined;

  function explain(call: Call<Query>, type: MediaType, document: ItemSearch): Promise<Reply> {
    if (!plainSearch(call, document)) return explainSearch(parts, call, type, 'file', document, call.query, { order });
    return answerPlan(parts, call, type, async () => {
      const reason = 'Lists of files answer criteria on columns of files';
      return { strategy: 'file list', reason, hits: (await find(call, document)).hits, candidate: [] };
    });
  }

  async function find(call: Call<Query>, document: ItemSearch): Promise<FileHits> {
    const plain = plainSearch(call, document);
    if (plain) {
      const page = { ...pageOf(call.query), counts: call.query.count };
      const found = await findFilesBy(parts, store.reader(accountOf(call)), plain, page);
      const hits = call.query.count ? found.hits : undefined;
      return { hits, ids: found.page.map(({ id }) => id), next: undefined };
    }
    return searchFor(parts, call, 'file', document, call.query, { order });
  }

  async function answer(call: Call<Query>, type: MediaType, document: ItemSearch): Promise<Reply> {
    if (call.query.save) return save(parts, call, document);
    if (call.query.explain) return explain(call, type, document);
    const { hits, ids, next } = await find(call, document);
    if (type === 'text/plain') return lines(ids.map((id) => [id]));
    const page = ids.map((id) => ({ id }));
    const view = viewOf(call.query);
    const reader = store.reader(accountOf(call));
    await (view.includeItem ? checkPageWithUses : checkPage)(reader, ids, settings.maxPageValues);
    const file = await documentsOf(parts, reader, page, view);
    return renderList(render, type, fileListDocument, { hits, nextCursor: next, file }, 'file');
  }

  const same = { path: '/search/file', answers: [fileListDocument, searchPlanDocument, 'text'], access: read } as const;
  return [
    route({
      ...same,
      method: 'PUT',
      says: 'Searches files, also by criteria of their items and shapes.',
      query,
      reads: ['nothing', itemSearchDocument],
      acting: 'allowed',
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call)),
    }),
    route({
      ...same,
      method: 'GET',
      says: 'All files, the oldest first, or those that a search finds.',
      query: { ...query, ...searchInQuery },
      produces: documentOrText,
      handle: async (call, type) => answer(call, type, await parseSearch(parts, call, call.query.q)),
    }),
    route({
      ...same,
      method: 'GET',
      path: `${same.path}/saved/:hash`,
      says: 'The files that a saved search finds now.',
      query,
      produces: documentOrText,
      handle: async (call, type, params) => answer(call, type, await savedSearch(parts, params.hash)),
    }),
  ];
}
