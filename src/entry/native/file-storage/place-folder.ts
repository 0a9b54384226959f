import { join, relative, sep } from 'node:path';
import { DriverError } from '../../../storage/public.ts';
import type { Disk } from './disk.ts';
import { driverFault, disk as ownDisk, systemCode, unlessMissing } from './disk.ts';
import { type Hold, type Holding, holdings, type OpenFolder, ownHolding, shared } from './held-folder.ts';
import { isBelow, type Roots, shownPath, storageRootsSetting } from './roots.ts';

interface StorageFolderParts {
  readonly disk: Disk;
  readonly folder: string;
  readonly roots: Roots;
  readonly holding: Holding;
}

/** The folder of a place, and nothing but what is below it. No symbolic link in it is followed. */
export class StorageFolder {
  readonly disk: Disk;
  readonly folder: string;
  readonly #roots: Roots;
  readonly #ways: readonly Hold[];
  #real: string | undefined;
  /** Looks whether the place is still the same one, once it is known. */
  guard: (() => Promise<void>) | undefined;

  constructor({ disk, folder, roots, holding }: StorageFolderParts) {
    this.disk = disk;
    this.folder = folder;
    this.#roots = roots;
    const hold = holdings[holding];
    this.#ways = holding === 'by descriptor' ? [shared(hold), hold] : [hold];
  }

  /** Real path of the folder. Throws `offline` or `denied` if it cannot be used. */
  async locate(): Promise<string> {
    const { disk, folder } = this;
    const { folders, own, says = storageRootsSetting } = this.#roots;
    try {
      if (folder === own) await disk.mkdir(own, { recursive: true });
      const real = await disk.realpath(folder);
      const allowed = await Promise.all(folders.map((root) => unlessMissing(disk.realpath(root))));
      if (allowed.some((root) => root !== undefined && isBelow(root, real))) {
        this.#real = real;
        return real;
      }
    } catch (error) {
      throw offline(error);
    }
    throw new DriverError('denied', `Expected a folder below ${says}: a symbolic link leads out of them`);
  }

  /** Real path by names, once the folder is known. */
  realPath(names: readonly string[]): string | undefined {
    return this.#real === undefined ? undefined : below(this.#real, names);
  }

  /** Throws `offline` where the place is gone, or another one has come. */
  async present(): Promise<void> {
    await this.locate();
    await this.guard?.();
  }

  /** A folder of the place by the names that lead to it. Made on the way only if asked for. */
  async hold(parts: readonly string[], { make = false } = {}): Promise<OpenFolder> {
    try {
      return await this.holdNow(parts);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      // Nothing is there: or nothing at all is there any more.
      await this.present();
      if (!make) throw error;
    }
    const above = await this.hold(parts.slice(0, -1), { make });
    try {
      await this.disk.mkdir(above.at(parts.at(-1)!)).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
      await above.verify();
      await above.sync();
    } finally {
      await above.close();
    }
    return this.holdNow(parts).catch((error: unknown) => {
      // A link that leads nowhere has the name.
      throw systemCode(error) === 'ENOENT' ? linked(parts) : error;
    });
  }

  /** Opens a folder without locating the storage again if it is missing. */
  async holdNow(parts: readonly string[]): Promise<OpenFolder> {
    const real = this.#real ?? (await this.locate());
    // A shared folder may have been moved or removed since it was opened.
    for (const hold of this.#ways) {
      const openFolder = await hold(this.disk, join(this.folder, ...parts)).catch((error: unknown) => {
        // A concurrent caller may have opened it before the folder was made.
        if (hold !== this.#ways.at(-1)) return undefined;
        throw parts.length === 0 ? offline(error) : error;
      });
      if (!openFolder) continue;
      try {
        // The storage itself may have moved, by a link that the operator changed.
        if (openFolder.isAt(below(real, parts)) || openFolder.isAt(below(await this.locate(), parts)))
          return openFolder;
      } catch (error) {
        await openFolder.close();
        throw error;
      }
      await openFolder.close();
    }
    throw linked(parts);
  }
}

/** Makes a folder below the one that belongs to the service. */
export async function makeFolder(own: string, roots: Roots, folder: string): Promise<void> {
  const place = new StorageFolder({ disk: ownDisk, folder: own, roots, holding: ownHolding });
  const names = relative(own, folder).split(sep).filter(Boolean);
  // A refusal shows when the storage is used, as that of any folder.
  const newFolder = await place.hold(names, { make: true }).catch(() => undefined);
  await newFolder?.close();
}

const linked = (parts: readonly string[]): DriverError =>
  new DriverError('bad-path', `Expected folders without symbolic links: "${shownPath(parts.join('/'))}"`);

const below = (root: string, parts: readonly string[]): string =>
  parts.length === 0 ? root : `${root.endsWith(sep) ? root : `${root}${sep}`}${parts.join(sep)}`;

function offline(error: unknown): unknown {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new DriverError('offline', 'Expected the folder of the storage: nothing is there');
  }
  return driverFault(error, 'find the folder of the storage');
}
