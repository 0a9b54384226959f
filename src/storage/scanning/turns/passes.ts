import type { Clock } from '../../../core/lib/clock.ts';
import { inTime } from '../../../core/lib/clock.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Store } from '../../../core/store/store.ts';
import type { PieceContext } from '../../../core/work/work-kind.ts';
import type { Listing } from '../../../spi/index.ts';
import { DriverError } from '../../drivers.ts';
import { addTo } from '../counters.ts';
import { isStillThere, type ReachableMethod } from '../look.ts';
import { batchFiles } from '../merging/commit.ts';
import { withHashes } from '../merging/new-hashes.ts';
import { decideSeen, type MergeDecision } from '../merging/rules.ts';
import { lastEvent, openFiles, uploading } from '../merging/store.ts';
import { decideWindow, isInOrder, isUnchanged, windowsOf } from '../merging/window.ts';
import type { ScanOptions } from '../options.ts';
import { type ScanProgress, ScanStopped } from './progress.ts';

interface Pass {
  readonly store: Store;
  readonly clock: Clock;
  readonly storage: string;
  readonly seen: ReachableMethod;
  readonly options: ScanOptions;
  readonly progress: ScanProgress;
}

/** Files of a page: comparing them holds the loop for some milliseconds. */
const pageFiles = 1000;
/** Windows in a turn of the loop at most. */
const sliceWindows = 4;
/** Milliseconds that a page may take. A cold share of a million files is slow, a dead one silent. */
const patience = 120_000;

/**
 * Compares the listing of a storage with the rows, page by page. False: the slice is over, and another one continues.
 */
export async function listingPass(pass: Pass, context: PieceContext): Promise<boolean> {
  const { store, storage, progress } = pass;
  // Uses reader threads, if there are any.
  const reader = store.reader(`scan ${storage}`);
  let windows = 0;
  // Yields, because a local scan without threads and network would block other requests.
  const windowEnds = async () => {
    if (++windows % sliceWindows === 0) await yieldTurn();
  };
  while (context.mayGoOn()) {
    const sequence = (await lastEvent(store, {}))[0]?.sequence ?? 0;
    const page = await pageOf(pass, context.signal);
    const { files, next, skipped } = page;
    const isSame = await isUnchanged(reader, storage, progress.cursor, page);
    for await (const window of isSame ? [] : windowsOf(reader, storage, progress.cursor, page)) {
      const { clock, options, seen } = pass;
      const rules = { ...options, now: clock.now() };
      const careful = progress.found.careful === true;
      const { signal } = context;
      const around = { reader: store, storage, seen, options, rules, careful, sequence, skipped, signal };
      const decisions = await decideWindow(around, window);
      await write(pass, await withHashes(seen, decisions, signal), window.upTo, signal);
      await windowEnds();
    }
    if (isSame) await windowEnds();
    progress.found = addTo(progress.found, { seen: files.length, skipped: skipped?.length ?? 0 });
    context.done(files.length);
    if (next === undefined) return true;
    progress.cursor = next;
  }
  return false;
}

async function pageOf({ seen, clock, progress }: Pass, signal: AbortSignal): Promise<Listing> {
  const after = progress.cursor;
  const listOptions = { limit: pageFiles, signal, ...(after !== '' && { after }) };
  const late = () => new DriverError('offline', `Expected a list of files within ${patience / 1000} seconds`);
  const page = await inTime(seen.driver.list!(listOptions), clock, patience, late);
  const end = page.next === undefined ? [] : [{ path: page.next }];
  const last = page.files.at(-1)?.path ?? after;
  if (isInOrder(after, page.files) && (end.length === 0 || end[0]!.path === last || isInOrder(last, end))) return page;
  throw new DriverError('failed', 'Expected a list of files in the order of the bytes of their paths: another order');
}

async function write({ seen, progress }: Pass, decisions: readonly MergeDecision[], upTo: string, signal: AbortSignal) {
  if (
    decisions.some(({ counts }) => counts === 'missing' || counts === 'lost') &&
    !(await isStillThere(seen, signal))
  ) {
    throw new DriverError('offline', 'Expected the file system that was there: it went while it was listed');
  }
  const allowed = progress.allowed(decisions);
  for (let at = 0; at < allowed.length; at += batchFiles) {
    const batch = allowed.slice(at, at + batchFiles);
    await progress.write(batch, batch.at(-1)!.path);
  }
  if (allowed.length < decisions.length) throw new ScanStopped(progress.problem());
  progress.cursor = upTo;
}

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
  context: PieceContext,
): Promise<boolean> {
  while (context.mayGoOn()) {
    const rows = await openFiles(store, { id: storage, after: Number(progress.cursor), limit: batch });
    if (rows.length === 0) return true;
    const ids = rows.map(({ id }) => id);
    const busy = new Set((await uploading(store, { id: storage, ids })).map(({ id }) => id));
    const decisions = [];
    for (const { serial: _serial, ...row } of rows) {
      const file = busy.has(row.id) ? undefined : await seen.driver.stat(row.path, context.signal);
      const decision = file && decideSeen(row, file, { ...options, now: clock.now() });
      if (decision) decisions.push(decision);
    }
    await progress.write(decisions, String(rows.at(-1)!.serial).padStart(digits, '0'));
    progress.found = addTo(progress.found, { seen: rows.length });
    context.done(rows.length);
    if (rows.length < batch) return true;
  }
  return false;
}
