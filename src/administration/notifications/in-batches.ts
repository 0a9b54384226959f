import type { Maybe } from '../../core/lib/maybe.ts';

/** Reads up to `most` rows and removes them in one commit, again and again until none is left. */
export async function inBatches<T>(
  most: number,
  read: (limit: number) => Maybe<readonly T[]>,
  remove: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await read(most);
    if (rows.length > 0) await remove(rows);
    if (rows.length < most) return;
  }
}
