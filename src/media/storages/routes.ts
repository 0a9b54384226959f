import { requireDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { flag } from '../../http/parameters/index.ts';
import { done, located, noContent, plain, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { storageDocument } from '../documents/storage.ts';
import type { MediaParts } from '../parts.ts';
import { changedStorage, newStorage } from './change.ts';
import { deleteStorage } from './deletion/rules.ts';
import { type LoadedStorage, storageFrom, wordOf } from './documents.ts';
import { read, storageNamed, write } from './kinds.ts';
import { loadStorage } from './load.ts';
import { freeOf } from './numbers.ts';
import { changeType, storageTypes } from './rules.ts';

export function storageRoutes(parts: MediaParts): readonly Route[] {
  const { store, clock, limits, render } = parts;
  const answer = (type: MediaType, loaded: LoadedStorage): Reply =>
    type === 'text/plain' ? plain(loaded.row.id) : render(type, storageDocument, storageFrom(loaded));

  return [
    route({
      method: 'POST',
      path: '/storage',
      says: 'Makes a storage.',
      reads: storageDocument,
      answers: [storageDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type) {
        const made = await newStorage(parts, call, await requireDocument(call, storageDocument, limits));
        return located(answer(type, made), call, 'storage', made.row.id);
      },
    }),
    route({
      method: 'GET',
      path: '/storage/:storage',
      says: 'One storage.',
      answers: storageDocument,
      access: read,
      produces: documentTypes,
      handle: async (_call, type, params) => answer(type, await loadStorage(store, params.storage)),
    }),
    route({
      method: 'PUT',
      path: '/storage/:storage',
      says: 'Changes a storage: properties, methods and metadata. Elements that the document leaves out stay.',
      reads: storageDocument,
      answers: [storageDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type, params) {
        const document = await requireDocument(call, storageDocument, limits);
        return answer(type, await changedStorage(parts, call, params.storage, document));
      },
    }),
    route({
      method: 'DELETE',
      path: '/storage/:storage',
      says: 'Deletes a storage and the entries of its files. The bytes stay where they are.',
      query: { safe: flag('Refuses with 409 if a file of the storage belongs to an item', false) },
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const row = await storageNamed(store, params.storage);
        await call.commit(deleteStorage(row, call.query.safe, clock.now()));
        return noContent;
      },
    }),
    route({
      method: 'PUT',
      path: '/storage/:storage/type/:type',
      says: 'Changes the type of a storage.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const type = wordOf(params.type, storageTypes, 'path');
        await retryWhenChanged(async () => {
          await call.commit(changeType(await storageNamed(store, params.storage), type));
        });
        return done;
      },
    }),
    route({
      method: 'GET',
      path: '/storage/:storage/status',
      says: 'The state of a storage.',
      answers: 'text',
      access: read,
      produces: textOnly,
      handle: async (_call, _type, params) => plain((await storageNamed(store, params.storage)).state),
    }),
    route({
      method: 'GET',
      path: '/storage/:storage/freespace',
      says: 'Free bytes of a storage.',
      answers: 'text',
      access: read,
      produces: textOnly,
      async handle(_call, _type, params) {
        const { row, used } = await loadStorage(store, params.storage);
        return plain(String(freeOf(row, used)));
      },
    }),
  ];
}
