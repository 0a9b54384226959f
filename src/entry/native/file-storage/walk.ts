import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { inByteOrder } from '../../../core/lib/bytes.ts';
import { isOwn } from '../../../storage/public.ts';
import { systemCode } from './disk.ts';
import type { Holding } from './held-folder.ts';
import { type FileStats, VisitedFiles, type WalkPage } from './stored-files.ts';
import { type FolderSystem, WalkedFolder } from './walked-folder.ts';

type EntryKind = 'file' | 'folder' | 'link' | 'pipe' | 'socket' | 'device';

interface Entry extends FileStats {
  readonly kind: EntryKind;
}

/** Synchronous file system calls of a walk. */
export interface WalkSystem extends FolderSystem {
  /** Names in a folder. Names of folders end with "/". */
  names(folder: string): string[];
  look(path: string): Entry;
}

const onNode: WalkSystem = {
  open: openSync,
  close: closeSync,
  readLink: (path) => readlinkSync(path),
  names: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)),
  look(path) {
    const stats = lstatSync(path);
    const { size, mtimeMs, birthtimeMs, ino } = stats;
    return { kind: kindOf(stats), size, mtimeMs, birthtimeMs, ino };
  },
};

function kindOf(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'pipe';
  return stats.isSocket() ? 'socket' : 'device';
}

/** The little of Deno that is used here. Measured: its `node:fs` takes two and a half times as long without waiting. */
interface DenoFiles {
  readDirSync(path: string): Iterable<{ readonly name: string; readonly isDirectory: boolean }>;
  lstatSync(path: string): {
    readonly isFile: boolean;
    readonly isDirectory: boolean;
    readonly isSymlink: boolean;
    readonly isFifo: boolean | null;
    readonly isSocket: boolean | null;
    readonly size: number;
    readonly mtime: Date | null;
    readonly birthtime: Date | null;
    readonly ino: number | null;
  };
}

const onDeno = ({ readDirSync, lstatSync }: DenoFiles): WalkSystem => ({
  ...onNode,
  names: (folder) => Array.from(readDirSync(folder), ({ name, isDirectory }) => (isDirectory ? `${name}/` : name)),
  look(path) {
    const { isFile, isDirectory, isSymlink, isFifo, isSocket, size, mtime, birthtime, ino } = lstatSync(path);
    const other = isFifo ? 'pipe' : isSocket ? 'socket' : 'device';
    const kind = isFile ? 'file' : isDirectory ? 'folder' : isSymlink ? 'link' : other;
    return { kind, size, mtimeMs: Number(mtime), birthtimeMs: Number(birthtime), ino: ino ?? 0 };
  },
});

const { Deno } = globalThis as { readonly Deno?: DenoFiles };

export const walkSystem: WalkSystem = Deno ? onDeno(Deno) : onNode;

/** Folder of the current path in the walk, with its remaining entries. */
interface Level {
  /** Prefix of the paths in the folder: empty, or with "/" at its end. */
  readonly prefix: string;
  /** Sorted names; those of folders end with "/", so `a-b/x` comes before `a/x`. */
  readonly keys: readonly string[];
  at: number;
}

interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/**
 * Walks a place in the order of UTF-8 bytes, one page after the other. It remembers the names of the folders that it is
 * in, so that a page costs what is on it. For a thread of its own: asking the system without waiting is five times as
 * fast.
 */
export class FolderWalk {
  readonly #folder: WalkedFolder;
  readonly #system: WalkSystem;
  readonly #levels: Level[] = [];
  /** Path after which the walk begins. */
  readonly #after: string;

  constructor(root: string, holding: Holding, after = '', system = walkSystem) {
    this.#folder = new WalkedFolder(root, holding, system);
    this.#after = after;
    this.#system = system;
  }

  page(limit: number): WalkPage {
    const files = new VisitedFiles(limit);
    const skipped: Skipped[] = [];
    try {
      if (this.#levels.length === 0) this.#enter('');
      let last: string | undefined;
      while (files.count + skipped.length < limit) {
        const level = this.#level();
        if (!level) return { ...files.page(), ...(skipped.length > 0 && { skipped }) };
        const key = level.keys[level.at++]!;
        const path = level.prefix + key;
        const isFolder = key.endsWith('/');
        // For an unreadable folder the cursor skips everything below it.
        last = isFolder ? behind(path) : path;
        const passed = isFolder ? this.#enterFolder(path) : this.#look(level.prefix, key, path, files);
        if (passed) skipped.push(passed);
      }
      return { ...files.page(), ...(last !== undefined && { next: last }), ...(skipped.length > 0 && { skipped }) };
    } finally {
      this.#folder.leave();
    }
  }

  /** The innermost folder in which something is left. */
  #level(): Level | undefined {
    for (;;) {
      const level = this.#levels.at(-1);
      if (!level || level.at < level.keys.length) return level;
      this.#levels.pop();
    }
  }

  /** Reads the names of a folder. What stands before `after` is passed over, but not the folders that lead there. */
  #enter(prefix: string): void {
    const folder = this.#folder.enter(prefix);
    const keys = this.#system.names(folder).filter((key) => !isOwn(key.endsWith('/') ? key.slice(0, -1) : key));
    const plain = keys.every((key) => !/[\ud800-\uffff]/.test(key));
    const sorted = plain ? keys.sort() : keys.sort(inByteOrder);
    const after = this.#after;
    const isAhead = (key: string) => {
      const path = prefix + key;
      return inByteOrder(path, after) > 0 || (path.endsWith('/') && after.startsWith(path) && after !== behind(path));
    };
    this.#levels.push({ prefix, keys: after === '' ? sorted : sorted.filter(isAhead), at: 0 });
  }

  #enterFolder(path: string): Skipped | undefined {
    try {
      this.#enter(path);
      return undefined;
    } catch (error) {
      const code = systemCode(error);
      // Gone meanwhile, or no folder any more.
      if (isGone(code)) return isLossy(path) ? noUtf8(path) : undefined;
      // Everything below is unknown; the walk continues elsewhere.
      if (code === 'EACCES' || code === 'EPERM')
        return { path, reason: 'This process has no right to read the folder' };
      if (code === 'ENAMETOOLONG') return { path, reason: 'The path is too long' };
      throw error;
    }
  }

  /** Adds a file to those of the page, and says why anything else is passed over. */
  #look(prefix: string, name: string, path: string, files: VisitedFiles): Skipped | undefined {
    try {
      const entry = this.#system.look(`${this.#folder.enter(prefix)}/${name}`);
      if (entry.kind === 'file') files.add(path, entry);
      // A folder that has come since is found by the next walk.
      return entry.kind === 'file' || entry.kind === 'folder' ? undefined : { path, reason: reasons[entry.kind] };
    } catch (error) {
      const code = systemCode(error);
      if (isGone(code)) return isLossy(path) ? noUtf8(path) : undefined;
      if (code === 'EACCES' || code === 'EPERM') return { path, reason: 'This process has no right to look at it' };
      throw error;
    }
  }
}

/** Cursor behind all paths of a folder. */
const behind = (folder: string): string => `${folder}\u{10ffff}\u{10ffff}`;

/** Whether a name is gone, or is no folder any more. */
const isGone = (code: string | undefined): boolean => code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';

/** Whether the runtime has replaced bytes that are not UTF-8. */
const isLossy = (path: string): boolean => path.includes('\ufffd');
const noUtf8 = (path: string): Skipped => ({ path, reason: 'The name is not UTF-8' });

const reasons: Readonly<Record<Exclude<EntryKind, 'file' | 'folder'>, string>> = {
  link: 'A symbolic link, which is not followed',
  pipe: 'A pipe',
  socket: 'A socket',
  device: 'A device',
};
