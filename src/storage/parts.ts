import type { Vault } from '../core/lib/vault.ts';
import type { RoomContext } from '../room/context.ts';
import type { StorageDrivers } from './drivers.ts';
import type { StorageSettings } from './settings.ts';

/** Parts of the routes and the background work of media. */
export interface StorageParts extends RoomContext<StorageSettings> {
  readonly places: StorageDrivers;
  /** Encrypts the secrets of methods. Undefined: there is no secret key. */
  readonly vault: Vault | undefined;
}
