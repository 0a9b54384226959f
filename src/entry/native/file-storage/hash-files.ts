import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DriverError, kindOfFailure } from '../../../storage/public.ts';
import { driverFault, fileChanged, toRead } from './disk.ts';
import type { HashAnswer, HashQuestion } from './folder-messages.ts';
import { partsOf, shownPath } from './roots.ts';
import { type FileStats, versionOf } from './stored-files.ts';
import { walkSystem } from './walk.ts';
import { WalkedFolder } from './walked-folder.ts';

const piece = Buffer.allocUnsafeSlow(1024 * 1024);

/**
 * Hashes files of a place with blocking calls, so it runs on a thread of its own. Consecutive files of one folder share
 * its descriptor. `stop` is checked before each piece.
 */
export function hashFiles({ root, holding, paths, algorithms }: HashQuestion, stop: Int32Array): HashAnswer[] {
  const folder = new WalkedFolder(root, holding, walkSystem);
  const names = algorithms.map((algorithm) => algorithm.replace('-', ''));

  function hash(path: string): HashAnswer {
    partsOf(path);
    const begin = path.lastIndexOf('/') + 1;
    const fd = openSync(`${folder.enter(path.slice(0, begin))}/${path.slice(begin)}`, toRead);
    try {
      const seen = fstatSync(fd);
      if (!seen.isFile()) throw new DriverError('bad-path', 'Expected a file');
      const hashers = names.map((name) => createHash(name));
      for (let at = 0; at < seen.size; ) {
        if (Atomics.load(stop, 0) === 1) throw new DriverError('aborted', 'The reader went away');
        const length = readSync(fd, piece, 0, Math.min(piece.byteLength, seen.size - at), at);
        if (length === 0) break;
        for (const hasher of hashers) hasher.update(piece.subarray(0, length));
        at += length;
      }
      const after = fstatSync(fd);
      // No links: the file was removed or replaced while it was read.
      if (versionOf(after) !== versionOf(seen) || after.nlink === 0) throw fileChanged(shownPath(path));
      return { ...factsOf(seen), hashes: hashers.map((hasher) => hasher.digest('hex')) };
    } finally {
      closeSync(fd);
    }
  }

  try {
    return paths.map((path) => {
      try {
        return hash(path);
      } catch (error) {
        const fault = driverFault(error, `read "${shownPath(path)}"`);
        return { kind: kindOfFailure(fault), message: fault instanceof Error ? fault.message : String(fault) };
      }
    });
  } finally {
    folder.leave();
  }
}

const factsOf = ({ size, mtimeMs, birthtimeMs, ino }: FileStats): FileStats => ({ size, mtimeMs, birthtimeMs, ino });
