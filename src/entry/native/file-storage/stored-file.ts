import type { Stats } from 'node:fs';
import type { StoredFile } from '../../../spi/index.ts';

type Seen = Pick<Stats, 'size' | 'mtimeMs' | 'birthtimeMs' | 'ino'>;

/** In milliseconds: Deno tells no more, and another version on another runtime would make every file a changed one. */
const whole = (milliseconds: number): number => Math.floor(milliseconds);

/**
 * A copy can keep size and time, and a deleted file leaves its number to the next: only the birth tells these apart.
 * Where a file system has none it is 0.
 */
export const versionOf = (seen: Seen): string => `${seen.size}-${whole(seen.mtimeMs)}-${identityOf(seen)}`;

/** Without the number of the device, which other mounts can get after a restart. */
const identityOf = ({ ino, birthtimeMs }: Seen): string => `${ino}-${whole(birthtimeMs)}`;

export const storedFile = (path: string, seen: Seen): StoredFile => ({
  path,
  size: seen.size,
  modified: whole(seen.mtimeMs) * 1000,
  version: versionOf(seen),
  identity: identityOf(seen),
});
