import { createVault } from '../../core/lib/vault.ts';
import type { Store } from '../../core/store/store.ts';
import type { RoomContext } from '../../room/context.ts';
import { createStorageDrivers, type StorageDrivers } from './places.ts';

const driversByStore = new WeakMap<Store, StorageDrivers>();

/** The places of storage methods: all rooms share their drivers. The room `media` closes them. */
export function storageDriversOf({
  store,
  security,
  sharesWork,
  secretKey,
  random,
  services,
}: Pick<RoomContext, 'store' | 'security' | 'sharesWork' | 'secretKey' | 'random' | 'services'>): StorageDrivers {
  const drivers = driversByStore.get(store);
  if (drivers) return drivers;
  const vault = secretKey && createVault(secretKey, random);
  const places = createStorageDrivers({ schemes: security.storages, sharesWork, vault, services });
  driversByStore.set(store, places);
  return places;
}

/** Folder that a driver uses for itself in each storage. No path leads into such a folder, at any depth. */
export const ownFolder = '.portico';

/** Compared without case, since some file systems ignore it. */
export const isOwn = (name: string): boolean => name.toLowerCase() === ownFolder;
