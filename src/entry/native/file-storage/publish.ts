import type { Stats } from 'node:fs';
import { DriverError } from '../../../storage/public.ts';
import { type Disk, systemCode, toCreate, unlessMissing } from './disk.ts';
import type { OpenFolder } from './held-folder.ts';

/** Content of a token for staged bytes. */
interface StagedFile {
  /** Name of the temporary file. */
  readonly name: string;
  /** Inode of the file. Publishing keeps it, so published bytes are recognised. */
  readonly ino: string;
}

export const tokenOf = (name: string, { ino }: Pick<Stats, 'ino'>): string => `${name}-${ino.toString(36)}`;

/** Reads a token. Undefined if it is invalid. */
export function readToken(token: string): StagedFile | undefined {
  const [, name, ino] = /^([0-9a-f]{32})-([0-9a-z]{1,16})$/.exec(token) ?? [];
  return name === undefined || ino === undefined ? undefined : { name, ino };
}

export const isTemporary = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

interface Name {
  readonly folder: OpenFolder;
  readonly name: string;
}

/** File systems without hard links say one of these (exFAT, some shares). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Gives a temporary file its name: by a link, which fails where the name is taken, or by a rename, which replaces. The
 * temporary name goes last, so that after a crash in between the same call ends it.
 */
export async function giveName(disk: Disk, from: Name & { ino: number }, to: Name, mode: 'create' | 'replace') {
  const [old, fresh] = [from.folder.at(from.name), to.folder.at(to.name)];
  if (mode === 'replace') await disk.rename(old, fresh);
  else await create(disk, from, to);
  await to.folder.verify();
  await to.folder.sync();
  // Renaming one of two names of a file to the other does nothing, so the temporary one may still be there.
  await unlessMissing(disk.unlink(old));
  return disk.lstat(fresh);
}

async function create(disk: Disk, from: Name & { ino: number }, to: Name): Promise<void> {
  const [old, fresh] = [from.folder.at(from.name), to.folder.at(to.name)];
  try {
    await disk.link(old, fresh);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code !== 'EEXIST' && !noLinks.has(code)) throw error;
    const stats = await unlessMissing(disk.lstat(fresh));
    // A crash came between the link and the end of the temporary name.
    if (stats?.ino === from.ino) return;
    if (stats) throw nameTaken(stats.isDirectory());
    await reserve(disk, fresh);
    await disk.rename(old, fresh).catch(async (failed: unknown) => {
      await disk.unlink(fresh).catch(() => undefined);
      throw failed;
    });
  }
}

/** Creates the empty file that the rename replaces. Of concurrent callers only one succeeds. */
async function reserve(disk: Disk, path: string): Promise<void> {
  const handle = await disk.open(path, toCreate).catch((error: unknown) => {
    throw systemCode(error) === 'EEXIST' ? nameTaken(false) : error;
  });
  await handle.close();
}

const nameTaken = (byFolder: boolean): DriverError =>
  byFolder
    ? new DriverError('bad-path', 'Expected a name that no folder has')
    : new DriverError('exists', 'Expected a name that no file has');

/** The file that a token was published as. Throws `not-found` unless it is that very file. */
export async function publishedBefore(disk: Disk, folder: OpenFolder, name: string, { ino }: StagedFile) {
  const stats = await unlessMissing(disk.lstat(folder.at(name)));
  if (stats?.isFile() && stats.ino.toString(36) === ino) return stats;
  throw new DriverError('not-found', 'Expected staged bytes: they are gone');
}
