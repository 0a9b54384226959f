import { retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import { answer } from '../../http/answers.ts';
import { flag } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { storageDocument, storageMethodListDocument } from '../documents/storage.ts';
import type { MediaParts } from '../parts.ts';
import { changedStorage, newStorage } from './change.ts';
import { deleteStorage } from './deletion/rules.ts';
import { storageFrom, wordOf } from './documents.ts';
import { read, storageAt, storageNamed, write } from './kinds.ts';
import { loadStorage } from './load.ts';
import { freeOf } from './numbers.ts';
import { changeType, storageTypes } from './rules.ts';
import { addressesInUse } from './store.ts';

export function storageRoutes(parts: MediaParts): readonly Route[] {
  const { store, clock, security } = parts;
  const path = '/storage/:storage';
  const storage = storageAt(store);
  const proposals = () => security.storages().flatMap((scheme) => scheme.proposals?.() ?? []);
  const inUse = (uris: readonly string[]) => addressesInUse(store, { uris });
  const documentOrId = answer(storageDocument, { text: ({ id = '' }) => id });

  return [
    route({
      method: 'POST',
      path: '/storage',
      says: 'Makes a storage.',
      reads: storageDocument,
      answers: documentOrId,
      location: ({ id = '' }) => ['storage', id],
      access: write,
      acting: 'allowed',
      handle: async (call) => storageFrom(await newStorage(parts, call, call.body)),
    }),
    route({
      method: 'GET',
      path: '/storage/proposal',
      says: 'Addresses that a new storage may have on this server and that no storage has.',
      answers: storageMethodListDocument,
      access: write,
      ahead: () => inUse(proposals()),
      async handle() {
        const all = proposals();
        const taken = new Set((await inUse(all)).map(({ uri }) => uri));
        return { method: all.filter((uri) => !taken.has(uri)).map((uri) => ({ uri })) };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'One storage.',
      answers: storageDocument,
      access: read,
      handle: async (_call, { storage }) => storageFrom(await loadStorage(store, storage)),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes a storage: properties, methods and metadata. Elements that the document leaves out stay.',
      reads: storageDocument,
      answers: documentOrId,
      access: write,
      acting: 'allowed',
      handle: async (call, { storage }) => storageFrom(await changedStorage(parts, call, storage, call.body)),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a storage and the entries of its files. The bytes stay where they are.',
      entities: { storage },
      query: { safe: flag('Refuses with 409 if a file of the storage belongs to an item', false) },
      status: 204,
      access: write,
      acting: 'allowed',
      handle: (call, { storage }) => call.commit(deleteStorage(storage, call.query.safe, clock.now())),
    }),
    route({
      method: 'PUT',
      path: `${path}/type/:type`,
      says: 'Changes the type of a storage.',
      access: write,
      acting: 'allowed',
      async handle(call, { storage, type: word }) {
        const type = wordOf(word, storageTypes, 'path');
        await retryWhenChanged(async () => call.commit(changeType(await storageNamed(store, storage), type)));
      },
    }),
    route({
      method: 'GET',
      path: `${path}/status`,
      says: 'The state of a storage.',
      entities: { storage },
      answers: 'text',
      access: read,
      handle: (_call, { storage: { state } }) => state,
    }),
    route({
      method: 'GET',
      path: `${path}/usedspace`,
      says: 'Bytes of the files of a storage, without other files of its disk.',
      answers: 'text',
      access: read,
      handle: async (_call, { storage }) => String((await loadStorage(store, storage)).used),
    }),
    route({
      method: 'GET',
      path: `${path}/freespace`,
      says: 'Free bytes of a storage.',
      answers: 'text',
      access: read,
      async handle(_call, { storage }) {
        const { row, used } = await loadStorage(store, storage);
        return String(freeOf(row, used));
      },
    }),
  ];
}
