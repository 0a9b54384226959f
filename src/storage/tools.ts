import { createVault } from '../core/lib/vault.ts';
import type { Store } from '../core/store/store.ts';
import type { RoomContext } from '../room/context.ts';
import { openBytes } from './bytes/bytes.ts';
import { storageDriversOf } from './drivers.ts';
import type { StorageParts } from './parts.ts';
import type { StorageSettings } from './settings.ts';

/** Shared tools of this room for the bytes of storages. */
export interface MediaTools {
  readonly parts: StorageParts;
  readonly bytes: ReturnType<typeof openBytes>;
}

const opened = new WeakMap<Store, MediaTools>();

/** Tools of this instance, created once, so that the limits count the uploads of all rooms together. */
export function mediaTools(context: RoomContext<StorageSettings>): MediaTools {
  const openTools = opened.get(context.store);
  if (openTools) return openTools;
  const { secretKey, random } = context;
  const vault = secretKey && createVault(secretKey, random);
  const places = storageDriversOf(context);
  const parts: StorageParts = { ...context, places, vault };
  const tools: MediaTools = { parts, bytes: openBytes(parts) };
  opened.set(context.store, tools);
  return tools;
}
