import { retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import type { Caller } from '../../security/caller.ts';
import type { Storage } from '../documents/storage.ts';
import type { MediaParts } from '../parts.ts';
import { changeFrom, type LoadedStorage } from './documents.ts';
import { storageNamed } from './kinds.ts';
import { loadStorage } from './load.ts';
import { decideMethods } from './methods/decide.ts';
import { logOverlaps } from './overlaps.ts';
import { changeStorage, createStorage } from './rules.ts';
import { methodsOf } from './store.ts';

export async function newStorage(parts: MediaParts, call: Caller, document: Storage): Promise<LoadedStorage> {
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
  parts: MediaParts,
  call: Caller,
  name: string,
  document: Storage,
): Promise<LoadedStorage> {
  const { store, clock, settings, places } = parts;
  return retryWhenChanged(async () => {
    const row = await storageNamed(store, name);
    const { id } = row;
    const methods = await methodsOf(store, { id });
    const change = changeFrom(document, settings.maxMetadataBytes, id);
    const decided = await decideMethods(parts, call, id, methods, change.methods);
    const named = new Set(decided.map((each) => each.id));
    const others = methods.filter((each) => !named.has(each.id)).map(({ uri }) => ({ unread: places.unread(uri) }));
    await call.commit(changeStorage(row, change, decided, others, clock.now()));
    if (decided.length > 0) await logOverlaps(store, parts.log, id);
    return loadStorage(store, id);
  });
}
