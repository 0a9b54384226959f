import { JobFails } from '../../../room/jobs/job-type.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import { createDestinations, fileLocations, jobError, type Writable } from '../../../storage/public.ts';
import { fileMethods } from '../locations/store.ts';
import type { ExportParts } from '../parts.ts';
import { openWebDestination, type WebDestination } from './web.ts';

/** A place with names and staged bytes: a storage, or a folder that the operator opened for exports. */
export interface StoredDestination {
  readonly driver: StorageDriver;
  /** Path of the folder in the storage: empty, or with "/" at its end. */
  readonly path: string;
  /** Undefined: the destination is no storage. */
  readonly storageId: string | undefined;
}

export type ExportDestination = StoredDestination | WebDestination;

/** Opens the folder of an address. Throws JobFails or JobWaits. */
export async function openDestination(parts: ExportParts, folder: string): Promise<ExportDestination> {
  const storage = await belowStorage(parts, folder);
  if (storage) return storage;
  const scheme = folder.slice(0, folder.indexOf(':')).toLowerCase();
  if (scheme === 'http' || scheme === 'https') return openWebDestination(parts, folder);
  const opened = parts.security.storages().find(({ schemes }) => schemes.includes(scheme));
  const place = opened?.exportPlace?.(folder);
  if (!place) {
    throw new JobFails(`Expected an address below a method of a storage that writes: "${scheme}:" has no other place`);
  }
  if ('defect' in place) throw new JobFails(place.defect);
  return { ...place, storageId: undefined };
}

/** Refuses other spellings of a storage's folder, which could bypass the rights of the storage. */
async function refuseOtherSpelling({ store }: ExportParts, folder: string): Promise<undefined> {
  const path = filePath(folder);
  if (path === undefined) return undefined;
  const method = (await fileMethods(store, {})).find(({ uri }) => path.startsWith(filePath(uri) ?? '\0'));
  if (method) throw new JobFails(`Expected the address as the method of the storage has it: ${method.storageId}`);
}

/** With a slash at its end. Undefined: it is no folder of this machine. */
function filePath(uri: string): string | undefined {
  const encoded = /^file:(?:\/\/)?(\/[^?#]*)/i.exec(uri)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return `${decodeURIComponent(encoded).replace(/\/$/, '')}/`;
  } catch {
    return undefined;
  }
}

/** Destination below a storage. The nearest storage decides, even if it refuses writes. */
async function belowStorage(parts: ExportParts, folder: string): Promise<StoredDestination | undefined> {
  const { store, places } = parts;
  const named = 'name';
  const [nearest] = await fileLocations(store, `${folder}${named}`, undefined);
  if (!nearest) return refuseOtherSpelling(parts, folder);
  const { storageId, path } = nearest;
  const destinations = createDestinations({ store, places });
  let destination: Writable;
  try {
    destination = await destinations.writableOf(await destinations.storageOf(storageId));
  } catch (error) {
    throw jobError(error, storageId);
  }
  return { driver: destination.driver, path: path.slice(0, -named.length), storageId };
}
