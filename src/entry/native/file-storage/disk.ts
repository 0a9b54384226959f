import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, realpath, rename, statfs, unlink } from 'node:fs/promises';
import process from 'node:process';
import type { StorageErrorKind } from '../../../spi/index.ts';
import { DriverError } from '../../../storage/public.ts';

/** File system calls of the driver. Tests inject failures. */
export const disk = { link, lstat, mkdir, open, readdir, realpath, rename, statfs, unlink };
export type Disk = typeof disk;

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;

/** Follows no link in the last name, and does not block at a pipe. */
export const toRead = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
/** Readable too: repeated parts are compared with the stored bytes. */
export const toWrite = O_RDWR | O_NOFOLLOW;
export const toCreate = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
export const asFolder = O_RDONLY | O_DIRECTORY;

/** There a folder cannot be opened, and its entries need no sync. */
export const syncsFolders = process.platform !== 'win32';

const kinds: Readonly<Record<string, readonly [kind: StorageErrorKind, why: string]>> = {
  ENOENT: ['not-found', 'nothing is there'],
  ENOTDIR: ['bad-path', 'a folder on the way is none'],
  EISDIR: ['bad-path', 'a folder is there'],
  ENOTEMPTY: ['bad-path', 'a folder is there'],
  EEXIST: ['exists', 'something is there'],
  ELOOP: ['bad-path', 'a symbolic link is there'],
  EXDEV: ['bad-path', 'the folder lies on another file system than its storage'],
  ENAMETOOLONG: ['bad-path', 'the name is too long'],
  EILSEQ: ['bad-path', 'the file system cannot hold the name'],
  EINVAL: ['bad-path', 'the file system cannot hold the name'],
  ENOSPC: ['no-space', 'the disk is full'],
  EDQUOT: ['no-space', 'the quota of the disk is used up'],
  EFBIG: ['no-space', 'the file system cannot hold so large a file'],
  EACCES: ['denied', 'this process has no right to it'],
  EPERM: ['denied', 'this process has no right to it'],
  EROFS: ['denied', 'the file system is read-only'],
  EIO: ['offline', 'the disk does not answer'],
  ENODEV: ['offline', 'the disk is gone'],
  ENXIO: ['offline', 'the disk is gone'],
  ESTALE: ['offline', 'the share was mounted again'],
  ETIMEDOUT: ['offline', 'the share does not answer'],
  EHOSTDOWN: ['offline', 'the share does not answer'],
  ENOTCONN: ['offline', 'the share does not answer'],
  EMFILE: ['failed', 'this process has too many files open'],
  ENFILE: ['failed', 'this machine has too many files open'],
};

/** `shown`: the path as the message names it. */
export const fileChanged = (shown: string): DriverError =>
  new DriverError('changed', `Expected the file as it was: "${shown}" has changed`);

export const senderGone = (): DriverError => new DriverError('aborted', 'The sender went away');

export const systemCode = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
};

/** Driver error for an error of the operating system, whose own message would reveal paths of this machine. */
export function driverFault(error: unknown, what: string): unknown {
  const code = systemCode(error);
  if (error instanceof DriverError || code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const [kind, why] = Object.hasOwn(kinds, code) ? kinds[code]! : (['failed', 'the system refuses'] as const);
  return new DriverError(kind, `Expected to ${what}: ${why} (${code})`);
}

/** Runs the work and converts its errors to driver errors. */
export async function withDriverFaults<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw driverFault(error, what);
  }
}

/** Undefined where there is nothing. */
export const unlessMissing = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
