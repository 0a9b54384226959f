import { boundsFor } from '../../../entities/search/bounds.ts';
import { accountOf, type Call, optionalDocument } from '../../../http/call.ts';
import { documentOrText, type MediaType } from '../../../http/negotiation.ts';
import { flag, page, pageOf, type QueryOf } from '../../../http/parameters/index.ts';
import { renderList } from '../../../http/render-list.ts';
import { lines, type Reply } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { fileListDocument } from '../../documents/file.ts';
import type { MediaParts } from '../../parts.ts';
import { read } from '../kinds.ts';
import { findFiles } from '../list/find.ts';
import { documentsOf } from '../list/page.ts';
import { usageIn } from '../list/scope/scope.ts';
import { viewOf, viewParameters } from '../view.ts';
import { fileSearchDocument } from './documents.ts';
import { searchFrom } from './rules.ts';

const usualPage = 100;

/** Searches of files by what their rows say. */
export function fileSearchRoutes(parts: MediaParts): readonly Route[] {
  const { store, settings, render } = parts;
  const bounds = boundsFor(store.kind, settings);
  const query = {
    ...page(settings.maxPage, usualPage),
    count: flag('Whether to tell how many files fit in all', true),
    ...viewParameters,
  };
  const same = { path: '/search/file', query, answers: [fileListDocument, 'text'], access: read } as const;

  async function search(call: Call<QueryOf<typeof query>>, type: MediaType): Promise<Reply> {
    const document = await optionalDocument(call, fileSearchDocument, parts.limits);
    const { query: wanted, storages } = searchFrom(document, bounds.pattern);
    const reader = store.reader(accountOf(call));
    const scope = { storage: undefined, storages, groups: undefined, importables: false };
    const found = await findFiles({
      reader,
      kind: store.kind,
      bounds,
      usage: await usageIn(reader, scope),
      query: wanted,
      slice: { after: undefined, ...pageOf(call.query) },
      counts: call.query.count,
    });
    if (type === 'text/plain') return lines(found.page.map(({ id }) => [id]));
    const file = await documentsOf(parts, reader, found.page, viewOf(call.query));
    const hits = call.query.count ? found.hits : undefined;
    return renderList(render, type, fileListDocument, { hits, file }, 'file');
  }

  return [
    route({
      ...same,
      method: 'PUT',
      says: 'Searches files.',
      reads: ['nothing', fileSearchDocument],
      acting: 'allowed',
      produces: documentOrText,
      handle: search,
    }),
    route({ ...same, method: 'GET', says: 'All files, page by page.', produces: documentOrText, handle: search }),
  ];
}
