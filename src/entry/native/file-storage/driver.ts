import type { Stats } from 'node:fs';
import { join, sep } from 'node:path';
import type { ByteRange, StorageDriver, StorageStatus, StoredFile } from '../../../spi/index.ts';
import { DriverError, type HandOver, withHandOver } from '../../../storage/public.ts';
import {
  type Disk,
  fileChanged,
  disk as ownDisk,
  systemCode,
  toRead,
  unlessMissing,
  withDriverFaults,
} from './disk.ts';
import type { FolderThreads } from './folder-threads.ts';
import { type Holding, type OpenFolder, ownHolding } from './held-folder.ts';
import { identityOf } from './identity.ts';
import { OpenFiles } from './open-files.ts';
import { StorageFolder } from './place-folder.ts';
import { readBody, readPiece } from './read-body.ts';
import type { Roots } from './roots.ts';
import { partsOf, shownPath } from './roots.ts';
import { createStaging } from './staging.ts';
import { storedFile, versionOf } from './stored-files.ts';
import { watchFolder } from './watch.ts';

export interface FileDriverParts {
  /** Folder of the storage. */
  readonly folder: string;
  readonly roots: Roots;
  readonly minFreeBytes: number;
  readonly threads: Pick<FolderThreads, 'page' | 'hash'>;
  randomBytes(length: number): Uint8Array;
  /** Header that names a file to a proxy, by its real path. Undefined: the proxy does not reach it. */
  readonly sendfileHeader?: (path: string) => Readonly<Record<string, string>> | undefined;
  /** Replaces the runtime's file system in tests. */
  readonly disk?: Disk;
  readonly holding?: Holding;
}

/** Entries of a page. Measured: larger pages live so long that collecting them costs as much as reading the disk. */
const maxListed = 1000;

/** Files below a folder of this machine. */
export function createFileDriver(parts: FileDriverParts): StorageDriver {
  const { folder, roots, threads, disk = ownDisk, holding = ownHolding } = parts;
  const place = new StorageFolder({ disk, folder, roots, holding });
  const staging = createStaging({ ...parts, place });

  /** Undefined where the folder is missing, too. */
  async function inFolder<T>(path: string, work: (folder: OpenFolder, name: string) => Promise<T>) {
    const names = partsOf(path);
    const openFolder = await place.hold(names.slice(0, -1)).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
      throw error;
    });
    if (!openFolder) return undefined;
    try {
      return await work(openFolder, names.at(-1)!);
    } finally {
      await openFolder.close();
    }
  }

  async function look(held: OpenFolder, name: string, path: string): Promise<Stats | undefined> {
    const stats = await unlessMissing(disk.lstat(held.at(name)));
    if (!stats) await place.present();
    if (!stats || stats.isDirectory()) return undefined;
    if (stats.isFile()) return (await held.hasSpelling(name)) ? stats : undefined;
    const what = stats.isSymbolicLink() ? 'a symbolic link' : 'no file, but something like a device';
    throw new DriverError('bad-path', `Expected a file at "${shownPath(path)}": ${what}`);
  }

  async function stat(path: string): Promise<StoredFile | undefined> {
    const stats = await inFolder(path, (held, name) => look(held, name, path));
    return stats && storedFile(path, stats);
  }

  async function open(path: string) {
    const handle = await inFolder(path, async (held, name) => {
      const opened = await disk.open(held.at(name), toRead);
      await held.verify().catch(async (error: unknown) => {
        await opened.close();
        throw error;
      });
      return opened;
    });
    if (!handle) throw notFound(path);
    return handle;
  }

  const files = new OpenFiles(open, holding === 'by descriptor');

  /** Whether no link leads to the file, and it has the version: two system calls, where `stat` makes six. */
  async function isPlain(names: readonly string[], version: string): Promise<boolean> {
    const at = join(folder, ...names);
    const seen = await Promise.all([disk.realpath(at), disk.lstat(at)]).catch(() => undefined);
    if (!seen) return false;
    const [real, stats] = seen;
    return real === place.realPath(names) && stats.isFile() && versionOf(stats) === version;
  }

  /** Names the file without opening it. The proxy opens it by its path, so it must refuse links that come later. */
  const handOver: HandOver = (path, version) =>
    withDriverFaults(`look at "${shownPath(path)}"`, async () => {
      const names = partsOf(path);
      if (!(await isPlain(names, version))) {
        const file = await stat(path);
        if (!file) throw notFound(path);
        if (file.version !== version) throw fileChanged(shownPath(path));
      }
      return parts.sendfileHeader!(place.realPath(names)!.replaceAll(sep, '/'));
    });

  async function check(): Promise<StorageStatus> {
    const before = place.guard;
    // The answer tells the current state.
    place.guard = undefined;
    await place.locate();
    const root = await place.holdNow([]);
    try {
      const { bsize, blocks, bavail } = await disk.statfs(root.at('.'));
      const identity = await identityOf(place, staging);
      place.guard = async () => {
        if ((await identityOf(place)) === identity) return;
        throw new DriverError('offline', 'Expected the file system that was there: another one is mounted');
      };
      return { capacity: bsize * blocks, free: bsize * bavail, identity };
    } finally {
      place.guard ??= before;
      await root.close();
    }
  }

  const driver: StorageDriver = {
    can: { list: true, write: true, parts: true, createOnly: true, sign: false },

    check: () => withDriverFaults('use the folder of the storage', check),

    stat: (path) => withDriverFaults(`look at "${shownPath(path)}"`, () => stat(path)),

    read: (path, { range, version, signal } = {}) =>
      withDriverFaults(`read "${shownPath(path)}"`, async () => {
        const file = await stat(path);
        if (!file) throw notFound(path);
        if (version !== undefined && version !== file.version) {
          throw fileChanged(shownPath(path));
        }
        const { from, end } = range ?? { from: 0, end: file.size };
        checkRange({ from, end }, file.size);
        return { file, body: readBody({ file, from, end, signal, open: () => open(path) }) };
      }),

    readPiece: (path, { range: { from, end }, version }) =>
      withDriverFaults(`read "${shownPath(path)}"`, async () => {
        const piece = { path, from, end, version };
        return files.use(path, (handle, wasKept) => readPiece(handle, { ...piece, wasKept }));
      }),

    list: ({ after = '', limit, signal }) =>
      withDriverFaults('list the storage', async () => {
        const root = await place.locate();
        await place.guard?.();
        return threads.page({ root, holding, after, limit: Math.min(limit, maxListed) }, signal);
      }),

    // By path, a link that comes between check and use could lead to a file outside of the storage.
    ...(holding === 'by descriptor' && {
      hash: (paths, { algorithms, signal }) =>
        withDriverFaults('read the files', async () => {
          const root = await place.locate();
          await place.guard?.();
          return threads.hash({ root, holding, paths, algorithms }, signal);
        }),
    }),

    stage: (body, options) => staging.stage(body, options),
    openParts: (options) => staging.openParts(options),
    discard: (token) => staging.discard(token),
    staged: () => staging.staged(),

    publish: (token, path, mode) =>
      withDriverFaults(`give "${shownPath(path)}" its bytes`, async () => {
        const names = partsOf(path);
        return storedFile(path, await staging.settle(token, names.slice(0, -1), names.at(-1)!, mode));
      }),

    remove: (path) =>
      withDriverFaults(`remove "${shownPath(path)}"`, async () => {
        const removed = await inFolder(path, async (held, name) => {
          if (!(await look(held, name, path))) return false;
          // Folders stay, even empty ones: a concurrent write may need them.
          const gone = await disk.unlink(held.at(name)).then(
            () => true,
            (error: unknown) => {
              if (systemCode(error) === 'ENOENT') return false;
              throw error;
            },
          );
          await held.sync();
          return gone;
        });
        return removed ?? false;
      }),

    watch: (listener) =>
      withDriverFaults('watch the folder', async () => {
        const root = await place.locate();
        await place.guard?.();
        return watchFolder(root, listener);
      }),

    // A program that opens it follows whatever links it finds on the way.
    localPath: (path) => join(folder, ...partsOf(path)),

    close: () => files.close(),
  };
  return parts.sendfileHeader ? withHandOver(driver, handOver) : driver;
}

const notFound = (path: string) => new DriverError('not-found', `Expected a file at "${shownPath(path)}"`);

function checkRange({ from, end }: ByteRange, size: number): void {
  if (from >= 0 && from <= end && end <= size) return;
  throw new DriverError('range', `Expected a range within the ${size} bytes of the file`);
}
