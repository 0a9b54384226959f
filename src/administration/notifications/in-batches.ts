import type { Maybe } from '../../core/lib/maybe.ts';

/** Reads up to `max` rows and removes them in one commit, again and again until none is left. */
export async function inBatches<T>(
  max: number,
  read: (limit: number) => Maybe<readonly T[]>,
  remove: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await read(max);
    if (rows.length > 0) await remove(rows);
    if (rows.length < max) return;
  }
}
