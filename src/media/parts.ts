import type { Vault } from '../lib/vault.ts';
import type { House } from '../room/house.ts';
import type { Places } from './places/places.ts';
import type { MediaSettings } from './settings.ts';

/** What the routes and the work of this room are given. */
export interface MediaParts extends House<MediaSettings> {
  readonly places: Places;
  /** Seals the secrets of methods. Undefined: there is no secret key. */
  readonly vault: Vault | undefined;
}
