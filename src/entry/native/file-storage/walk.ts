import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Listing, StoredFile } from '../../../spi/index.ts';
import { asFolder } from './disk.ts';
import { codeOf } from './faults.ts';
import type { Holding } from './held-folder.ts';
import { inByteOrder, isOwn } from './names.ts';
import { storedFile } from './stored-file.ts';

/** A folder on the way, with what is left to be looked at in it. */
interface Level {
  /** Of the paths in it: empty, or with "/" at its end. */
  readonly prefix: string;
  /** Names in order, those of folders with "/" behind: `a-b/x` stands before `a/x`. */
  readonly keys: readonly string[];
  at: number;
}

/** What a walk asks of the operating system. */
const system = { closeSync, lstatSync, openSync, readdirSync, readlinkSync };

interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/**
 * Walks a place in the order of UTF-8 bytes, one page after the other. It remembers the names of the folders that it is
 * in, so that a page costs what is on it. For a thread of its own: asking the system without waiting is five times as
 * fast.
 */
export class Walk {
  readonly #root: string;
  readonly #holding: Holding;
  readonly #system: typeof system;
  readonly #levels: Level[] = [];
  /** Where a walk begins that goes on behind a path. */
  readonly #after: string;
  #held: { readonly prefix: string; readonly fd: number | undefined; readonly path: string } | undefined;

  constructor(root: string, holding: Holding, after = '', asked = system) {
    this.#root = root;
    this.#holding = holding;
    this.#after = after;
    this.#system = asked;
  }

  page(limit: number): Listing {
    const files: StoredFile[] = [];
    const skipped: Skipped[] = [];
    try {
      if (this.#levels.length === 0) this.#enter('');
      let last: string | undefined;
      while (files.length + skipped.length < limit) {
        const path = this.#next();
        if (path === undefined) return { files, ...(skipped.length > 0 && { skipped }) };
        // Behind a folder that cannot be read is behind all that may be in it.
        last = path.endsWith('/') ? behind(path) : path;
        const found = path.endsWith('/') ? this.#enterFolder(path) : this.#look(path);
        if (found && 'reason' in found) skipped.push(found);
        else if (found) files.push(found);
      }
      return { files, ...(last !== undefined && { next: last }), ...(skipped.length > 0 && { skipped }) };
    } finally {
      this.#letGo();
    }
  }

  #next(): string | undefined {
    for (;;) {
      const level = this.#levels.at(-1);
      if (!level) return undefined;
      const key = level.keys[level.at++];
      if (key !== undefined) return level.prefix + key;
      this.#levels.pop();
    }
  }

  /** Reads the names of a folder. What stands before `after` is passed over, but not the folders that lead there. */
  #enter(prefix: string): void {
    const folder = this.#hold(prefix);
    const keys = this.#system
      .readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !isOwn(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
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
      const code = codeOf(error);
      // Gone meanwhile, or no folder any more.
      if (code === 'ENOENT' || code === 'ENOTDIR') return isLossy(path) ? noUtf8(path) : undefined;
      // Below it nobody can tell what is there; elsewhere the walk goes on.
      if (code === 'EACCES' || code === 'EPERM')
        return { path, reason: 'This process has no right to read the folder' };
      if (code === 'ENAMETOOLONG') return { path, reason: 'The path is too long' };
      throw error;
    }
  }

  #look(path: string): StoredFile | Skipped | undefined {
    const cut = path.lastIndexOf('/') + 1;
    try {
      const stats = this.#system.lstatSync(join(this.#hold(path.slice(0, cut)), path.slice(cut)));
      if (stats.isFile()) return storedFile(path, stats);
      return stats.isDirectory() ? undefined : { path, reason: reasonOf(stats) };
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return isLossy(path) ? noUtf8(path) : undefined;
      if (code === 'EACCES' || code === 'EPERM') return { path, reason: 'This process has no right to look at it' };
      throw error;
    }
  }

  /** The path of a folder that stays this folder: see `held-folder.ts`. */
  #hold(prefix: string): string {
    if (this.#held?.prefix === prefix) return this.#held.path;
    this.#letGo();
    const path = prefix === '' ? this.#root : join(this.#root, prefix.slice(0, -1));
    if (this.#holding === 'by path') {
      this.#held = { prefix, fd: undefined, path };
      return path;
    }
    const fd = this.#system.openSync(path, asFolder);
    this.#held = { prefix, fd, path: `/proc/self/fd/${fd}` };
    if (this.#system.readlinkSync(this.#held.path) === path) return this.#held.path;
    this.#letGo();
    // A link has taken the place of a folder on the way.
    throw Object.assign(new Error('Expected a folder'), { code: prefix === '' ? 'ESTALE' : 'ENOENT' });
  }

  #letGo(): void {
    if (this.#held?.fd !== undefined) this.#system.closeSync(this.#held.fd);
    this.#held = undefined;
  }
}

/** Behind all paths of a folder. */
const behind = (folder: string): string => `${folder}\u{10ffff}\u{10ffff}`;

/** What the runtime puts where a name is no UTF-8. */
const isLossy = (path: string): boolean => path.includes('\ufffd');
const noUtf8 = (path: string): Skipped => ({ path, reason: 'The name is not UTF-8' });

function reasonOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'A symbolic link, which is not followed';
  if (stats.isFIFO()) return 'A pipe';
  if (stats.isSocket()) return 'A socket';
  return 'A device';
}
