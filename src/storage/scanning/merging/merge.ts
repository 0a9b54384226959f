import { inByteOrder } from '../../../core/lib/byte-order.ts';

interface WithPath {
  readonly path: string;
}

/** Stored file and database row of one path. */
export interface PathPair<F extends WithPath, R extends WithPath> {
  readonly path: string;
  readonly file: F | undefined;
  readonly row: R | undefined;
}

/** Pairs two lists that are sorted by the bytes of their paths. */
export function mergeByPath<F extends WithPath, R extends WithPath>(
  files: readonly F[],
  rows: readonly R[],
): PathPair<F, R>[] {
  const pairs: PathPair<F, R>[] = [];
  let [at, other] = [0, 0];
  while (at < files.length || other < rows.length) {
    const [file, row] = [files[at], rows[other]];
    const order = file && row ? inByteOrder(file.path, row.path) : file ? -1 : 1;
    if (order <= 0) at++;
    if (order >= 0) other++;
    pairs.push({
      path: order <= 0 ? file!.path : row!.path,
      file: order <= 0 ? file : undefined,
      row: order >= 0 ? row : undefined,
    });
  }
  return pairs;
}

/** Whether paths come in the order of their bytes, all of them behind the first. A listing in another order would lose files. */
export function isInOrder(after: string, paths: readonly WithPath[]): boolean {
  let last = after;
  for (const { path } of paths) {
    if (inByteOrder(last, path) >= 0) return false;
    last = path;
  }
  return true;
}
