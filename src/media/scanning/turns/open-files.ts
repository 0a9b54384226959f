import type { Held } from '../../../work/kind.ts';
import { addTo } from '../found.ts';
import { decideSeen } from '../merging/rules.ts';
import { openFiles, uploading } from '../merging/store.ts';
import type { Pass } from './listing.ts';

/** Files that are looked at between two commits. */
const batch = 50;
/** Serials as texts of one length: cursors are compared as texts. */
const digits = 16;

/**
 * Looks at the files that somebody writes, one after the other, where a storage is not listed: clients say which files
 * it has, and those that no longer change are closed all the same. False: the turn is over.
 */
export async function openFilesPass(
  { store, clock, storage, seen, options, progress }: Pass,
  held: Held,
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
