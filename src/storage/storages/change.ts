import type { Log } from '../../core/lib/log.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Check } from '../../room/context.ts';
import type { Caller } from '../../security/caller.ts';
import type { Storage } from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { changeFrom, type LoadedStorage, loadStorage } from './documents.ts';
import { storageNamed } from './entity.ts';
import { decideMethods } from './methods/decisions.ts';
import { changeStorage, createStorage } from './rules.ts';
import { methodsOf, overlappingFolders, silentStorages } from './store.ts';

/** A storage inside another one is allowed, as in the original: each file below it is in both. */
export const storagesCheck = (reader: Reader): Check => ({
  name: 'storages',
  description: 'Storages answer, and none has its folder inside the folder of another one',
  async run() {
    const silent = await silentStorages(reader, { limit: maxTold });
    const pairs = await overlappingFolders(reader, { id: null });
    if (silent.length === 0 && pairs.length === 0) return { status: 'ok' };
    const away = silent.map(({ id, state, why }) => `Storage ${id} is ${state}: ${why ?? 'no method leads to it'}`);
    return {
      // Without another storage, no file can be uploaded.
      status: silent.some(({ isLast }) => isLast === 1) ? 'failed' : 'warning',
      message: [...away, ...pairs.map(({ inner, outer }) => overlap(inner, outer))],
    };
  },
});

const maxTold = 100;

/** Tells the log about the storages whose folders overlap with that of a storage which has just changed. */
async function logOverlaps(reader: Reader, log: Log, id: string): Promise<void> {
  for (const { inner, outer } of await overlappingFolders(reader, { id })) {
    log.write('warn', 'storage-overlaps', { storage: inner, inside: outer, consequence: overlap(inner, outer) });
  }
}

const overlap = (inner: string, outer: string): string =>
  `Expected folders of storages apart from each other: that of ${inner} lies in that of ${outer}, so each of its files is in both`;

export async function newStorage(parts: StorageParts, call: Caller, document: Storage): Promise<LoadedStorage> {
  const { store, clock, settings } = parts;
  const change = changeFrom(document, settings.maxMetadataBytes, undefined);
  const decided = await decideMethods(parts, call, undefined, [], change.methods);
  const id = await store.nextId('storage');
  await call.commit(createStorage(id, change, decided, clock.now()));
  if (decided.length > 0) await logOverlaps(store, parts.log, id);
  return loadStorage(store, id);
}

/** Changes the storage. Properties that the document leaves out stay as they are. */
export async function changedStorage(
  parts: StorageParts,
  call: Caller,
  name: string,
  document: Storage,
): Promise<LoadedStorage> {
  const { store, clock, settings, places } = parts;
  const { id, decided } = await call.change(async () => {
    const row = await storageNamed(store, name);
    const { id } = row;
    const methods = await methodsOf(store, { id });
    const change = changeFrom(document, settings.maxMetadataBytes, id);
    const decided = await decideMethods(parts, call, id, methods, change.methods);
    const named = new Set(decided.map((each) => each.id));
    const others = methods.filter((each) => !named.has(each.id)).map(({ uri }) => ({ unread: places.unread(uri) }));
    return { ...changeStorage(row, change, decided, others, clock.now()), id, decided };
  });
  if (decided.length > 0) await logOverlaps(store, parts.log, id);
  return loadStorage(store, id);
}
