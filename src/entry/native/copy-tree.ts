import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rm, stat, symlink, utimes } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isBelow } from './file-storage/roots.ts';

/** Bytes where the name of a file is no text. */
type Path = string | Buffer;

export interface SkippedEntries {
  /** Entries that are no file, folder or link, such as pipes, in the order of the walk. */
  readonly odd: string[];
  /** Files that disappeared while others were copied. */
  readonly gone: string[];
  /** Entries whose names are no valid text, on runtimes without byte paths, such as Deno. */
  readonly nameless: string[];
  /** Links that lead out of the folders that were given. */
  readonly outward: string[];
  /** Places of files where a folder is, and of folders where something else is. */
  readonly blocked: string[];
}

/** Replacement character for bytes that are no text. */
const unreadable = '\uFFFD';

interface CopyOptions {
  /** Whether a file takes the place of another. */
  readonly force: boolean;
  /** Folders that links may lead into. Absent: links of one's own, which may lead anywhere. */
  readonly within?: readonly string[];
  isKept(path: string): boolean;
}

/**
 * Copies a folder that others use meanwhile. Names are bytes: those of a file system need not be text. One entry that
 * cannot be copied for what it is stops nothing.
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<SkippedEntries> {
  const left: SkippedEntries = { odd: [], gone: [], nameless: [], outward: [], blocked: [] };
  const pairs: [from: Path, to: Path][] = [[from, to]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [folder, target] = pair;
    if (!(await makeLike(folder, target))) {
      left.blocked.push(target.toString());
      continue;
    }
    for (const name of await namesIn(folder, left)) {
      const [source, copy] = [below(folder, name), below(target, name)];
      if (!options.isKept(source.toString())) continue;
      const stats = await lstat(source).catch(unlessGone);
      if (!stats && source.includes(unreadable)) left.nameless.push(source.toString());
      else if (stats?.isDirectory()) pairs.push([source, copy]);
      else if (stats && !stats.isFile() && !stats.isSymbolicLink()) left.odd.push(source.toString());
      else {
        const skipped = stats ? await copyEntry(source, copy, stats, target.toString(), options) : 'gone';
        if (skipped) left[skipped].push((skipped === 'blocked' ? copy : source).toString());
      }
    }
  }
  return left;
}

const below = (folder: Path, name: Path): Path =>
  typeof folder === 'string' && typeof name === 'string'
    ? join(folder, name)
    : Buffer.concat([folder, sep, name].map((part) => Buffer.from(part as string)));

/** A folder that is made has the rights of the other. Its owner may write in it, or nothing could be copied. False: something else is there. */
async function makeLike(folder: Path, target: Path): Promise<boolean> {
  const targetStats = await stat(target).catch(unlessGone);
  if (targetStats) return targetStats.isDirectory();
  await mkdir(target, { recursive: true });
  const like = await stat(folder).catch(unlessGone);
  if (like) await chmod(target, (like.mode & 0o777) | 0o700);
  return true;
}

async function namesIn(folder: Path, { gone }: SkippedEntries): Promise<readonly Path[]> {
  const names = await readdir(folder, { encoding: 'buffer' }).catch(unlessGone);
  if (!names) gone.push(folder.toString());
  return (names ?? []).map((name) => (name.equals(Buffer.from(name.toString())) ? name.toString() : name));
}

/** Undefined: it was copied, or stays as it is. */
async function copyEntry(
  source: Path,
  copy: Path,
  found: Stats,
  folder: string,
  { force, within }: CopyOptions,
): Promise<'gone' | 'outward' | 'blocked' | undefined> {
  const isLink = found.isSymbolicLink();
  const copyStats = await lstat(copy).catch(unlessGone);
  if (copyStats && !force) return undefined;
  if (copyStats?.isDirectory()) return 'blocked';
  if (isLink) {
    const leadsTo = await readlink(source, { encoding: 'buffer' }).catch(unlessGone);
    if (!leadsTo) return 'gone';
    if (within && leadsOut(leadsTo.toString(), folder, within)) return 'outward';
    if (copyStats) await rm(copy);
    await symlink(leadsTo, copy);
    return undefined;
  }
  if (copyStats?.isSymbolicLink()) await rm(copy);
  const copied = await copyFile(source, copy, constants.COPYFILE_FICLONE).then(() => true, unlessGone);
  if (copied) await utimes(copy, secondsOf(found.atimeMs), secondsOf(found.mtimeMs));
  return copied === true ? undefined : 'gone';
}

/**
 * Whether a link in a folder leads out of all of these folders. A way up is only looked at where it begins: behind the
 * name of another link it would lead up from where that one leads.
 */
export function leadsOut(leadsTo: string, folder: string, within: readonly string[]): boolean {
  const parts = leadsTo.split(/[\\/]/);
  const first = parts.findIndex((part) => part !== '..' && part !== '.');
  if (first >= 0 && parts.slice(first).includes('..')) return true;
  const end = resolve(folder, leadsTo);
  return !within.some((each) => isBelow(each, end));
}

/** Scans know a file by whole milliseconds: the middle of one stays in it, also as a fraction of a second. */
const secondsOf = (milliseconds: number): number => (Math.floor(milliseconds) + 0.5) / 1000;

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
