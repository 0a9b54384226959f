import { createVault } from '../lib/vault.ts';
import type { House } from '../room/house.ts';
import type { Store } from '../store/store.ts';
import { openBytes } from './bytes/bytes.ts';
import type { MediaParts } from './parts.ts';
import { placesOf } from './places/of-house.ts';
import type { MediaSettings } from './settings.ts';

/** Shared tools of this room for the bytes of storages. */
export interface MediaTools {
  readonly parts: MediaParts;
  readonly bytes: ReturnType<typeof openBytes>;
}

const opened = new WeakMap<Store, MediaTools>();

/** Tools of this instance, created once, so that the limits count the uploads of all rooms together. */
export function mediaTools(house: House<MediaSettings>): MediaTools {
  const known = opened.get(house.store);
  if (known) return known;
  const { secretKey, random } = house;
  const vault = secretKey && createVault(secretKey, random);
  const places = placesOf(house);
  const parts: MediaParts = { ...house, places, vault };
  const tools: MediaTools = { parts, bytes: openBytes(parts) };
  opened.set(house.store, tools);
  return tools;
}
