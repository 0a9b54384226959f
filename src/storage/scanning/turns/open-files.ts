import type { PieceContext } from '../../../core/work/kind.ts';
import { addTo } from '../found.ts';
import { decideSeen } from '../merging/rules.ts';
import { openFiles, uploading } from '../merging/store.ts';
import type { Pass } from './listing.ts';

/** Files checked between two commits. */
const batch = 50;
/** Serials as texts of one length: cursors are compared as texts. */
const digits = 16;

/**
 * Checks open files one after the other, for storages that cannot be listed. Clients register their files, and the
 * check closes those that no longer change. False: the slice is over.
 */
export async function openFilesPass(
  { store, clock, storage, seen, options, progress }: Pass,
  held: PieceContext,
): Promise<boolean> {
  while (held.mayGoOn()) {
    const rows = await openFiles(store, { id: storage, after: Number(progress.cursor), limit: batch });
    if (rows.length === 0) return true;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const busy = new Set((await uploading(store, { id: storage, ids })).map(({ id }) => id));
    const decisions = [];
    for (const { serial: _serial, ...row } of rows) {
      const file = busy.has(row.id) ? undefined : await seen.driver.stat(row.path, held.signal);
      const decision = file && decideSeen(row, file, { ...options, now: clock.now() });
      if (decision) decisions.push(decision);
    }
    await progress.write(decisions, String(rows.at(-1)!.serial).padStart(digits, '0'));
    progress.found = addTo(progress.found, { seen: rows.length });
    held.done(rows.length);
    if (rows.length < batch) return true;
  }
  return false;
}
