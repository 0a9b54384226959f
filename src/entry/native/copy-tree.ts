import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rm, stat, symlink, utimes } from 'node:fs/promises';
import { sep } from 'node:path';

export interface Left {
  /** What is no file, folder or link, such as a pipe, in the order of the walk. */
  readonly odd: string[];
  /** Files that went while others were copied. */
  readonly gone: string[];
}

export interface CopyOptions {
  /** Whether a file takes the place of another. */
  readonly force: boolean;
  isKept(path: string): boolean;
}

/**
 * Copies a folder that others use meanwhile. Names are bytes: those of a file system need not be text. One entry that
 * cannot be copied for what it is stops nothing.
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<Left> {
  const left: Left = { odd: [], gone: [] };
  const pairs: [from: Buffer, to: Buffer][] = [[Buffer.from(from), Buffer.from(to)]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [folder, target] = pair;
    await makeLike(folder, target);
    for (const name of await namesIn(folder, left)) {
      const [source, copy] = [below(folder, name), below(target, name)];
      if (!options.isKept(source.toString())) continue;
      const found = await lstat(source).catch(unlessGone);
      if (found?.isDirectory()) pairs.push([source, copy]);
      else if (found && !found.isFile() && !found.isSymbolicLink()) left.odd.push(source.toString());
      else if (!found || !(await copyEntry(source, copy, found.isSymbolicLink(), options.force)))
        left.gone.push(source.toString());
    }
  }
  return left;
}

const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from(sep), name]);

/** A folder that is made has the rights of the other. Its owner may write in it, or nothing could be copied. */
async function makeLike(folder: Buffer, target: Buffer): Promise<void> {
  const made = await mkdir(target, { recursive: true });
  const like = made === undefined ? undefined : await stat(folder).catch(unlessGone);
  if (like) await chmod(target, (like.mode & 0o777) | 0o700);
}

async function namesIn(folder: Buffer, { gone }: Left): Promise<readonly Buffer[]> {
  const names = await readdir(folder, { encoding: 'buffer' }).catch(unlessGone);
  if (!names) gone.push(folder.toString());
  return names ?? [];
}

/** False: it went meanwhile. */
async function copyEntry(source: Buffer, copy: Buffer, isLink: boolean, force: boolean): Promise<boolean> {
  const there = await lstat(copy).catch(unlessGone);
  if (there && !force) return true;
  if (there && (isLink || there.isSymbolicLink())) await rm(copy);
  if (isLink) {
    const leadsTo = await readlink(source, { encoding: 'buffer' }).catch(unlessGone);
    if (leadsTo) await symlink(leadsTo, copy);
    return leadsTo !== undefined;
  }
  const before = await lstat(source).catch(unlessGone);
  const copied = await copyFile(source, copy, constants.COPYFILE_FICLONE).then(() => true, unlessGone);
  if (copied && before) await utimes(copy, secondsOf(before.atimeMs), secondsOf(before.mtimeMs));
  return copied === true;
}

/** Scans know a file by whole milliseconds: the middle of one stays in it, also as a fraction of a second. */
const secondsOf = (milliseconds: number): number => (Math.floor(milliseconds) + 0.5) / 1000;

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
