import { existing } from '../../../core/lib/checks.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Store } from '../../../core/store/store.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import type { StorageDrivers } from '../../drivers.ts';
import { storageRefusal } from '../../drivers.ts';
import { fileLocations } from '../../files/entity.ts';
import { newPath } from '../../files/path.ts';
import { fileTaken, unable } from '../../files/rules.ts';
import { type FileRow, fileAt } from '../../files/store.ts';
import { storageNamed } from '../../storages/entity.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { findStorage, type MethodRow, methodsOf, type StorageRow } from '../../storages/store.ts';
import { fileWaiting } from '../publishing/store.ts';

interface DestinationParts {
  readonly store: Store;
  readonly places: StorageDrivers;
}

/** A way to write to a storage. */
export interface Writable {
  readonly method: MethodRow;
  readonly driver: StorageDriver;
}

/** A path of a storage. */
export interface NewFileLocation {
  readonly storageId: string;
  readonly path: string;
}

export interface DestinationQuery {
  /** Undefined: given by the address. */
  readonly storage: string | undefined;
  readonly path: string | undefined;
  readonly uri: string | undefined;
}

export type Destinations = ReturnType<typeof createDestinations>;

/** Finds out where the bytes of an upload go. */
export function createDestinations({ store, places }: DestinationParts) {
  /** A storage as long as callers see it. */
  async function storageOf(id: string): Promise<StorageRow> {
    return existing(await findStorage(store, { id }), noSuchStorage, id);
  }

  /** The first method that writes and can be opened here. */
  async function writableOf(storage: StorageRow): Promise<Writable> {
    if (storage.type === 'SHARED') throw unable(storage.id, 'Expected a storage that this service writes to: SHARED');
    let refusal: ServiceError | undefined;
    for (const method of await methodsOf(store, { id: storage.id })) {
      if (method.write === 0) continue;
      try {
        const driver = await places.of(method);
        if (driver.can.write && driver.stage && driver.publish) return { method, driver };
      } catch (error) {
        refusal ??= storageRefusal(error, { storage: storage.id });
      }
    }
    throw refusal ?? unable(storage.id, 'Expected a storage with a method that writes');
  }

  async function byUri(text: string, storage: string | undefined): Promise<NewFileLocation> {
    const [nearest] = await fileLocations(store, text, storage);
    if (nearest) return nearest;
    // Not the address: it may hold a password.
    throw badParameter('uri', 'Expected an address below a method of a storage');
  }

  return {
    storageOf,
    writableOf,

    /** The place of a new file, by a path or an address. */
    async newPlace({ storage: name, path, uri }: DestinationQuery): Promise<NewFileLocation> {
      const storage = name === undefined ? undefined : (await storageNamed(store, name)).id;
      if (uri !== undefined) return byUri(uri, storage);
      if (storage !== undefined && path !== undefined) return { storageId: storage, path: newPath(path) };
      throw badParameter(
        storage === undefined ? 'uri' : 'path',
        `Expected ${storage === undefined ? 'the address' : 'the path or the address'} of the new file`,
      );
    },

    /** Starts the reads about a new file at the path, for `Store.ahead`. */
    newFileAhead: ({ storageId, path }: NewFileLocation): Promise<unknown> =>
      Promise.all([
        findStorage(store, { id: storageId }),
        methodsOf(store, { id: storageId }),
        fileAt(store, { storageId, path }),
        fileWaiting(store, { storageId, path }),
      ]),

    /** Refuses a path that has a file, known or not, before its bytes are read. */
    async requireFree({ storageId, path }: NewFileLocation, driver: StorageDriver): Promise<void> {
      const row = await fileAt(store, { storageId, path });
      if (row) throw fileTaken({ storageId, path, fileId: row.id });
      if (!(await isThere(driver, storageId, path))) return;
      if (!(await fileWaiting(store, { storageId, path }))) throw fileTaken({ storageId, path });
    },

    /** Writable destination of an existing file. */
    async ofFile(file: FileRow): Promise<Writable> {
      if (file.state === 'BEING_READ') throw busy(file.id);
      return writableOf(await storageOf(file.storageId));
    },
  };
}

/** A path that the storage cannot hold is refused here, too. */
async function isThere(driver: StorageDriver, storage: string, path: string): Promise<boolean> {
  try {
    return (await driver.stat(path)) !== undefined;
  } catch (error) {
    throw storageRefusal(error, { storage, path });
  }
}

const busy = (id: string): ServiceError =>
  new ServiceError('file-busy', {
    type: 'File',
    id,
    explanation: 'Expected a file that no job needs as it is: its state is BEING_READ',
  });
