import type { StoredFile } from '../../../spi/index.ts';
import { methodsOf, storageRefusal, unable } from '../../../storage/public.ts';
import type { NewFile } from '../../../storage/public-reading.ts';
import type { IngestParts } from '../parts.ts';

/** Size and version of a path according to its storage. Undefined: no file is there. */
export async function statOf(
  { store, places }: Pick<IngestParts, 'store' | 'places'>,
  storageId: string,
  path: string,
): Promise<StoredFile | undefined> {
  const methods = await methodsOf(store, { id: storageId });
  const method = methods.find(({ read }) => read === 1);
  if (!method) throw unable(storageId, 'Expected a storage with a method that reads');
  try {
    return await (await places.of(method)).stat(path);
  } catch (error) {
    throw storageRefusal(error, { storage: storageId, path });
  }
}

/** A file that the caller imports is whole, unless the caller says that it grows. */
export const factsOf = ({ size, modified, version, identity }: StoredFile, growing: boolean, now: number) => ({
  state: growing ? 'OPEN' : 'CLOSED',
  size,
  modified: modified ?? null,
  content: version,
  identity: identity ?? null,
  hash: null,
  digest: null,
  hashDue: growing ? null : now,
  changedAt: now,
  timestamp: now,
});

/** The row of a file that a storage has and the service does not know yet. */
export const foundFile = (
  place: Pick<NewFile, 'id' | 'storageId' | 'path'>,
  file: StoredFile,
  growing: boolean,
  now: number,
): NewFile => ({ ...place, ...factsOf(file, growing, now), deleteDue: null });
