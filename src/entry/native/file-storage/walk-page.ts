import type { Listing } from '../../../spi/index.ts';
import { type FileStats, storedFile } from './stored-file.ts';

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

  constructor(most: number) {
    this.#numbers = new Float64Array(4 * most);
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
