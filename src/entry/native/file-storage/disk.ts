import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, realpath, rename, statfs, unlink } from 'node:fs/promises';
import process from 'node:process';

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
