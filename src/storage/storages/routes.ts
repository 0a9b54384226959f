import { changing } from '../../core/store/commit-plan.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, flag, page, pageOf, text } from '../../http/parameters/index.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { storageDocument, storageListDocument, storageMethodListDocument } from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { acceptScan, scanAgain, scanAllAgain } from '../scanning/turns/store.ts';
import { hasOther } from '../storage-rules/choice.ts';
import { changedStorage, newStorage } from './change.ts';
import { deleteStorage } from './deletion.ts';
import { documentFrom, loadStorage, loadStorages, storageFrom, wordOf } from './documents.ts';
import { readStorages, storageAt, storageNamed, writeStorages } from './entity.ts';
import { counts, listFilter, percents, sizes } from './list-filter.ts';
import { checkStoragePage, listStorages } from './list-sql.ts';
import { beginEvacuation, cancelEvacuation, changeType, freeOf, storageStates, storageTypes } from './rules.ts';
import { addressesInUse, nextSerials, scanAllNow, scanNow } from './store.ts';

const naming = { displayName: flag('Adds the name of each storage', false) };

export function storageRoutes(parts: StorageParts): readonly Route[] {
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
      access: writeStorages,
      acting: 'allowed',
      handle: async (call) => storageFrom(await newStorage(parts, call, call.body)),
    }),
    route({
      method: 'GET',
      path: '/storage/proposal',
      says: 'Addresses that a new storage may have on this server and that no storage has.',
      answers: storageMethodListDocument,
      access: writeStorages,
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
      query: naming,
      answers: storageDocument,
      access: readStorages,
      handle: async (call, { storage }) => documentFrom(await loadStorage(store, storage), call.query.displayName),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes a storage: properties, methods and metadata. Elements that the document leaves out stay.',
      reads: storageDocument,
      answers: documentOrId,
      access: writeStorages,
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
      access: writeStorages,
      acting: 'allowed',
      handle: (call, { storage }) => call.commit(deleteStorage(storage, call.query.safe, clock.now())),
    }),
    route({
      method: 'PUT',
      path: `${path}/type/:type`,
      says: 'Changes the type of a storage.',
      access: writeStorages,
      acting: 'allowed',
      async handle(call, { storage, type: word }) {
        const type = wordOf(word, storageTypes, 'path');
        await call.change(async () => changeType(await storageNamed(store, storage), type));
      },
    }),
    route({
      method: 'GET',
      path: `${path}/status`,
      says: 'The state of a storage.',
      entities: { storage },
      answers: 'text',
      access: readStorages,
      handle: (_call, { storage: { state } }) => state,
    }),
    route({
      method: 'GET',
      path: `${path}/usedspace`,
      says: 'Bytes of the files of a storage, without other files of its disk.',
      answers: 'text',
      access: readStorages,
      handle: async (_call, { storage }) => String((await loadStorage(store, storage)).used),
    }),
    route({
      method: 'GET',
      path: `${path}/freespace`,
      says: 'Free bytes of a storage.',
      answers: 'text',
      access: readStorages,
      async handle(_call, { storage }) {
        const { row, used } = await loadStorage(store, storage);
        return String(freeOf(row, used));
      },
    }),
  ];
}

export function evacuationRoutes(parts: StorageParts): readonly Route[] {
  const { store } = parts;
  const path = '/storage/:storage/evacuate';

  return [
    route({
      method: 'PUT',
      path,
      says: 'Evacuates a storage: moves all its files to other storages. It takes no new files.',
      access: writeStorages,
      acting: 'allowed',
      async handle(call, { storage }) {
        await call.change(async () => {
          const row = await storageNamed(store, storage);
          return beginEvacuation(row, await hasOther(call.reader, row.id));
        });
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Cancels the evacuation of a storage, which takes new files again. Moved files stay moved.',
      access: writeStorages,
      acting: 'allowed',
      async handle(call, { storage }) {
        await call.change(async () => cancelEvacuation(await storageNamed(store, storage)));
      },
    }),
  ];
}

/** Storages whose scans one commit asks for. */
const batch = 1000;

/** Files of this type of storage are never looked for. */
const unscanned = 'EXPORT';

export function rescanRoutes(parts: StorageParts): readonly Route[] {
  const { store, clock } = parts;

  async function scanAll(call: Call): Promise<void> {
    for (let after = -1; ; ) {
      const serials = await nextSerials(store, { after, limit: batch });
      const last = serials.at(-1)?.serial;
      if (last === undefined) return;
      const changes = [scanAllNow({ after, last, now: clock.now() }), scanAllAgain({ after, last })];
      await call.commit({ changes, events: [] });
      after = last;
    }
  }

  return [
    route({
      method: 'POST',
      path: '/storage/rescan',
      says: 'Starts a scan of each storage.',
      access: writeStorages,
      acting: 'allowed',
      handle: scanAll,
    }),
    route({
      method: 'POST',
      path: '/storage/:storage/rescan',
      says: 'Starts a scan of a storage, also if scans are off. A running scan continues. A scan that waits for approval starts again.',
      entities: { storage: storageAt(store) },
      query: {
        confirm: flag('Approves the scan: missing files are lost, and another file system is correct', false),
      },
      access: writeStorages,
      acting: 'allowed',
      async handle(call, { storage: { id, type } }) {
        if (type === unscanned) return;
        const now = clock.now();
        const anew = call.query.confirm ? acceptScan({ id, now }) : scanAgain({ id });
        await call.commit(changing(scanNow({ id, now }), anew));
      },
    }),
  ];
}

export function storageListRoutes({ settings }: Pick<StorageParts, 'settings'>): readonly Route[] {
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
        ...naming,
        ...page(settings.maxPage),
      },
      answers: answer(storageListDocument, {
        list: 'storage',
        text: ({ storage = [] }) => linesOf(storage.map(({ id = '' }) => [id])),
      }),
      access: readStorages,
      async handle(call) {
        const { query, parameters } = call;
        if (query.url !== undefined && query.url.length > settings.maxSearchPattern) {
          throw badParameter('url', `Expected at most ${settings.maxSearchPattern} characters`, query.url);
        }
        const { reader } = call;
        const { hits, ids } = await listStorages(reader, query, pageOf(query));
        if (call.type === 'text/plain') return { storage: ids.map((id) => ({ id })) };
        await checkStoragePage(reader, ids, settings.maxPageValues);
        const storage = (await loadStorages(reader, ids)).map((each) => documentFrom(each, query.displayName));
        // Clients know the list without a number. They are told of it where they ask for a page, or get no more than one.
        const paged = hits > ids.length || ['first', 'number'].some((name) => parameters.all(name).length > 0);
        if (!paged && storage.length === 0) return {};
        return { ...(paged && { hits }), storage };
      },
    }),
  ];
}
