import { closeSync, openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DriverError } from '../../../storage/public.ts';
import { asFolder, type Disk, syncsFolders } from './disk.ts';

/** A folder of a place while something is done in it. */
export interface OpenFolder {
  /** Whether the system says that it is there. */
  isAt(path: string): boolean;
  /** The path of a name in it. */
  at(name: string): string;
  /** False where the file system knows the name in another spelling only. */
  hasSpelling(name: string): Promise<boolean>;
  /** Throws when it is no longer where it was. */
  verify(): Promise<void>;
  /** Resolves once its entries survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type Hold = (disk: Disk, path: string) => Promise<OpenFolder>;

/** Users that one descriptor has in its life: an operator who mounts another folder over it waits for no longer. */
const maxUsers = 32;

interface Shared {
  readonly opening: Promise<OpenFolder>;
  /** Total number of users so far, and number of current users. */
  came: number;
  users: number;
}

/** Shares an open folder among concurrent users. The last user closes it. */
export function shared(hold: Hold): Hold {
  const folders = new Map<string, Shared>();
  return async (disk, path) => {
    const sharedFolder = folders.get(path);
    const entry =
      sharedFolder && sharedFolder.came < maxUsers ? sharedFolder : { opening: hold(disk, path), came: 0, users: 0 };
    folders.set(path, entry);
    entry.came++;
    entry.users++;
    const leave = async () => {
      if (--entry.users > 0) return;
      if (folders.get(path) === entry) folders.delete(path);
      await entry.opening.then(
        (folder) => folder.close(),
        () => undefined,
      );
    };
    try {
      const folder = await entry.opening;
      return { ...folder, close: leave };
    } catch (error) {
      await leave();
      throw error;
    }
  };
}

/**
 * By descriptor: the driver opens the folder and asks the kernel where the descriptor leads. It looks up every name
 * below the descriptor (`/proc/self/fd/N/name`, what `openat` does elsewhere). A link that takes the place of a folder
 * between check and use changes nothing any more.
 */
const byDescriptor: Hold = async (disk, path) => {
  const handle = await disk.open(path, asFolder);
  try {
    const here = `/proc/self/fd/${handle.fd}`;
    // Removed since it was opened.
    if (readlinkSync(here).endsWith(' (deleted)') && (await handle.stat()).nlink === 0) throw missing();
    return {
      // Read each time, since others may share the descriptor.
      isAt: (path) => path === readlinkSync(here),
      at: (name) => `${here}/${name}`,
      hasSpelling: async () => true,
      verify: async () => undefined,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/**
 * By path, where the runtime offers nothing else: on macOS, on Windows, and on Deno without all permissions. Compares the
 * real path before and after. An attacker who exchanges folders twice in between gets through, so only trusted programs
 * should write below the roots there.
 */
const byPath: Hold = async (disk, path) => {
  const real = await disk.realpath(path);
  return {
    // Some file systems give accents back in another form.
    isAt: (other) => other.normalize() === real.normalize(),
    at: (name) => join(real, name),
    async hasSpelling(name) {
      const spelling = await disk.realpath(join(real, name));
      return spelling.normalize() === join(real, name).normalize();
    },
    async verify() {
      const now = await disk.realpath(path);
      if (now !== real) throw new DriverError('bad-path', 'Expected a folder that stays where it is');
    },
    async sync() {
      if (!syncsFolders) return;
      const handle = await disk.open(real, asFolder);
      await handle.sync().finally(() => handle.close());
    },
    close: async () => undefined,
  };
};

const missing = () => Object.assign(new Error('Expected a folder'), { code: 'ENOENT' });

export type Holding = 'by descriptor' | 'by path';

export const ownHolding: Holding =
  process.platform === 'linux' && looksBelowDescriptors() ? 'by descriptor' : 'by path';

/**
 * Whether folders can be opened below descriptors. Some containers have no `/proc`, and Deno requires all permissions
 * for it.
 */
function looksBelowDescriptors(): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync('/', asFolder);
    return readlinkSync(`/proc/self/fd/${descriptor}`) === '/';
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export const holdings: Readonly<Record<Holding, Hold>> = { 'by descriptor': byDescriptor, 'by path': byPath };
