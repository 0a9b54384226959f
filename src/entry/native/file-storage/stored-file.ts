import type { Stats } from 'node:fs';
import type { StoredFile } from '../../../spi/index.ts';

export type FileStats = Pick<Stats, 'size' | 'mtimeMs' | 'birthtimeMs' | 'ino'>;

/** In milliseconds: Deno tells no more, and another version on another runtime would make every file a changed one. */
const whole = (milliseconds: number): number => Math.floor(milliseconds);

/** Without the number of the device, which other mounts can get after a restart. */
const identityOf = ({ ino, birthtimeMs }: FileStats): string => `${ino}-${whole(birthtimeMs)}`;

/**
 * A copy can keep size and time, and a deleted file leaves its number to the next: only the birth tells these apart.
 * Where a file system has none it is 0.
 */
const versionIn = ({ size }: FileStats, modified: number, identity: string): string =>
  `${size}-${modified}-${identity}`;

export const versionOf = (seen: FileStats): string => versionIn(seen, whole(seen.mtimeMs), identityOf(seen));

export function storedFile(path: string, seen: FileStats): StoredFile {
  // Once for both: a walk writes these numbers a million times.
  const [modified, identity] = [whole(seen.mtimeMs), identityOf(seen)];
  const created = whole(seen.birthtimeMs) * 1000;
  const version = versionIn(seen, modified, identity);
  return { path, size: seen.size, modified: modified * 1000, ...(created > 0 && { created }), version, identity };
}
