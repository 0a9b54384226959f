import type { Stats } from 'node:fs';
import type { Listing, StoredFile } from '../../../spi/index.ts';

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

/**
 * A page as it crosses from the thread of walks: one text and one array. Measured: to copy an object for each file costs
 * as much as to look at the file.
 */
export interface WalkPage extends Omit<Listing, 'files'> {
  /** With a NUL behind each, which no name has. */
  readonly paths: string;
  /** Four for each file. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** The files of a page, while they are looked at. */
export class VisitedFiles {
  readonly #numbers: Float64Array<ArrayBuffer>;
  #paths = '';
  count = 0;

  constructor(max: number) {
    this.#numbers = new Float64Array(4 * max);
  }

  add(path: string, { size, mtimeMs, birthtimeMs, ino }: FileStats): void {
    const numbers = this.#numbers;
    const at = 4 * this.count++;
    numbers[at] = size;
    numbers[at + 1] = mtimeMs;
    numbers[at + 2] = birthtimeMs;
    numbers[at + 3] = ino;
    this.#paths += `${path}\0`;
  }

  page(): Pick<WalkPage, 'paths' | 'numbers'> {
    return { paths: this.#paths, numbers: this.#numbers.slice(0, 4 * this.count) };
  }
}

export function listingOf({ paths, numbers, ...rest }: WalkPage): Listing {
  const names = paths.split('\0');
  names.pop();
  const files = names.map((path, index) => {
    const at = 4 * index;
    const [size, mtimeMs, birthtimeMs, ino] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!];
    return storedFile(path, { size, mtimeMs, birthtimeMs, ino });
  });
  return { files, ...rest };
}
