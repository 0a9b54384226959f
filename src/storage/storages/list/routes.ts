import { answer } from '../../../http/answers.ts';
import { badParameter, page, pageOf, text } from '../../../http/parameters/index.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { storageListDocument } from '../../documents/storage.ts';
import type { MediaParts } from '../../parts.ts';
import { storageFrom } from '../documents.ts';
import { read } from '../kinds.ts';
import { loadStorages } from '../load.ts';
import { storageStates } from '../rules.ts';
import { counts, listFilter, percents, sizes } from './ranges.ts';
import { checkStoragePage, listStorages } from './store.ts';

export function storageListRoutes({ store, settings }: MediaParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/storage',
      says: 'The storages, in order of creation.',
      query: {
        size: sizes('Only storages of this capacity'),
        freebytes: sizes('Only storages with so much free'),
        usedbytes: sizes('Only storages with so much in use'),
        freeamount: percents('Only storages with so many percent free'),
        files: counts('Only storages with so many files'),
        storagegroup: listFilter('Only storages of one of these groups'),
        status: listFilter('Only storages in one of these states', storageStates),
        url: text('Only storages with a method of this address; "*" and "?" stand for any characters and any one'),
        ...page(settings.maxPage),
      },
      answers: answer(storageListDocument, {
        list: 'storage',
        text: ({ storage = [] }) => linesOf(storage.map(({ id = '' }) => [id])),
      }),
      access: read,
      async handle(call) {
        const { query, parameters } = call;
        if (query.url !== undefined && query.url.length > settings.maxSearchPattern) {
          throw badParameter('url', `Expected at most ${settings.maxSearchPattern} characters`, query.url);
        }
        const { reader } = call;
        const { hits, ids } = await listStorages(reader, query, pageOf(query));
        if (call.type === 'text/plain') return { storage: ids.map((id) => ({ id })) };
        await checkStoragePage(reader, ids, settings.maxPageValues);
        const storage = (await loadStorages(reader, ids)).map(storageFrom);
        // Clients know the list without a number. They are told of it where they ask for a page, or get no more than one.
        const paged = hits > ids.length || ['first', 'number'].some((name) => parameters.all(name).length > 0);
        if (!paged && storage.length === 0) return {};
        return { ...(paged && { hits }), storage };
      },
    }),
  ];
}
