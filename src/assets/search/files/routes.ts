import { pageOf } from '../../../http/parameters/index.ts';
import type { Route } from '../../../http/route.ts';
import { accountOf, type Caller } from '../../../security/caller.ts';
import {
  fileDocumentsOf,
  fileViewOf,
  findFilesBy,
  readFiles as read,
  viewParameters,
} from '../../../storage/public.ts';
import { fileListDocument } from '../../../storage/public-reading.ts';
import type { SearchParts } from '../parts.ts';
import { type SearchRequest, searchReading } from '../reading.ts';
import { runSearch } from '../request.ts';
import { answerHits, searchRoutes } from '../routes.ts';
import { plainSearchOf } from './plain.ts';

/** Routes that search files, by their properties and by linked entities. */
export function fileSearchRoutes(parts: SearchParts): readonly Route[] {
  const { store } = parts;

  /** Runs a search of columns alone as a list of files does. Undefined: other criteria, or a page by cursor. */
  async function findInList(caller: Caller, { document, page }: SearchRequest) {
    const plain = page.cursor === undefined ? plainSearchOf(document) : undefined;
    if (!plain) return undefined;
    const counts = page.counts === true;
    const listing = await findFilesBy(parts, store.reader(accountOf(caller)), plain, { ...pageOf(page), counts });
    return { hits: counts ? listing.hits : undefined, ids: listing.page.map(({ id }) => id), next: undefined };
  }

  return searchRoutes(parts, {
    kind: 'file',
    path: '/search/file',
    nouns: 'files',
    says: {
      list: 'All files, the oldest first, or those that a search finds.',
      search: 'Searches files, also by criteria of their items and shapes.',
    },
    document: fileListDocument,
    access: read,
    has: ['saved'],
    view: viewParameters,
    options: () => ({ order: { signature: 'files' } }),
    async plan(call, request) {
      const page = await findInList(call, request);
      const reason = 'Lists of files answer criteria on columns of files';
      return page && { strategy: 'file list', reason, hits: page.hits, candidate: [] };
    },
    async answer(call, request) {
      const searchPage = (await findInList(call, request)) ?? (await runSearch(parts, call, searchReading, request));
      const { hits, ids, next } = searchPage;
      return answerHits(call, { hits, ids, next }, fileListDocument, 'file', async () => {
        const view = fileViewOf(call.query);
        const { reader } = call;
        const page = ids.map((id) => ({ id }));
        const files = await fileDocumentsOf(parts, reader, page, view);
        return { lots: [files], load: async (lot) => lot };
      });
    },
  });
}
