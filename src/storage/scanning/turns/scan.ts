import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import type { PieceContext } from '../../../core/work/work-kind.ts';
import type { StorageDrivers } from '../../drivers.ts';
import { kindOfFailure } from '../../drivers.ts';
import type { StorageSettings } from '../../settings.ts';
import {
  findStorage,
  methodFailed,
  methodsOf,
  type StorageRow,
  storageScanned,
  storageSilent,
} from '../../storages/store.ts';
import { parseCounters, type ScanCounters } from '../counters.ts';
import { type Look, lookAt, lookError, type ReachableMethod, recordLook } from '../look.ts';
import { optionsOf, type ScanOptions } from '../options.ts';
import { listingPass, openFilesPass } from './passes.ts';
import { ScanProgress, ScanStopped, scanLost } from './progress.ts';
import {
  dueByLast,
  endScan,
  filesExpected,
  findScan,
  putOffScan,
  releaseScan,
  type ScanRow,
  scanAsRead,
  stopScan,
  takeScan,
} from './store.ts';

export interface ScanParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: StorageDrivers;
  readonly instanceId: string;
  /** False on an edge: what it cannot open, servers may have. */
  readonly sharesWork: boolean;
  readonly settings: Pick<StorageSettings, 'closeLimit' | 'maxLostPercent'>;
}

/** Milliseconds until another instance takes a scan over. The lease is moved on while it runs. */
export const scanLease = 60_000;
/** Milliseconds that a scan waits for an instance that sees the storage. */
const waitsForOthers = 30_000;
/** Files that may be missing whatever their share is: of three files, one is more than a tenth. */
const fewMissed = 10;
/** Types of storages that are only checked for availability. */
const unlisted: ReadonlySet<string> = new Set(['EXPORT', 'EXTERNAL']);

/** Claimed scan, with its lease once it is taken. */
export interface ScanSlice {
  readonly key: string;
  held: { readonly fence: number; readonly progress: ScanProgress } | undefined;
}

type Outcome = 'done' | 'unseen' | 'over';

export function createScans(parts: ScanParts) {
  const { store, clock, log, settings } = parts;
  /** Storages that this instance saw when it looked last. */
  const visible = new Set<string>();
  /** When this instance started as the only one: scans that are due at this time are first looks. */
  let aloneSince: number | undefined;

  /** Runs one slice of a scan. `unseen`: unreachable from this instance, perhaps reachable from another. */
  async function turn(piece: ScanSlice, context: PieceContext): Promise<Outcome> {
    const { key: id } = piece;
    const row = await findScan(store, { storageId: id });
    const storage = await findStorage(store, { id });
    if (!row || !storage || row.problem !== null) return 'done';
    const before = parseCounters(row.found);
    const methods = await methodsOf(store, { id });
    const look = await lookAt(parts, methods, { accepted: before.accepted === true, signal: context.signal });
    if (context.signal.aborted) return 'over';
    if (look.seen.length === 0) return unseen(row, look);
    visible.add(id);
    if (await looksOnly(row, storage, look)) return 'done';
    const begun = await begin(piece, row, storage, look);
    return begun ? go(begun, context) : 'done';
  }

  /** A first look at a storage whose scan is not due: it is only recorded. */
  async function looksOnly(row: ScanRow, storage: StorageRow, look: Look): Promise<boolean> {
    const { storageId: id, endedAt, cursor } = row;
    const now = clock.now();
    const due = (endedAt ?? 0) + 1000 * storage.scanInterval;
    if (row.due !== aloneSince || cursor !== null || storage.scanInterval < 0 || due <= now) return false;
    await store.commit(
      changing(scanAsRead(row, scanLost), dueByLast({ id, due }), ...recordLook(id, look, now)),
      systemActor,
    );
    return true;
  }

  /**
   * A storage that vanishes is OFFLINE at once. One that this instance never saw is left to others first, and so is one
   * that it has told of: another one may see it.
   */
  async function unseen(row: ScanRow, look: Look): Promise<Outcome> {
    const now = clock.now();
    const { storageId: id } = row;
    const isLeft = !visible.delete(id) && row.due !== aloneSince && now - (row.due ?? now) < waitsForOthers;
    if (!parts.sharesWork || isLeft) return 'unseen';
    await store.commit(
      changing(scanAsRead(row, scanLost), putOffScan({ id, now }), ...recordLook(id, look, now)),
      systemActor,
    );
    log.write('warn', 'storage-offline', { storage: id, reason: look.unseen[0]?.message ?? 'It has no methods' });
    return 'done';
  }

  interface Begun {
    readonly storage: StorageRow;
    readonly look: Look;
    readonly options: ScanOptions;
    readonly progress: ScanProgress;
    readonly piece: ScanSlice;
  }

  /** Takes the lease. Undefined: another instance has it, or the scan needs a decision of an administrator. */
  async function begin(piece: ScanSlice, row: ScanRow, storage: StorageRow, look: Look): Promise<Begun | undefined> {
    const { storageId: id, fence, cursor } = row;
    const now = clock.now();
    const counters = cursor === null ? await initialCounters(row) : parseCounters(row.found);
    const to = {
      instance: parts.instanceId,
      until: now + scanLease,
      startedAt: cursor === null ? now : (row.startedAt ?? now),
      found: JSON.stringify(counters),
    };
    const options = await optionsOf(store, id, settings).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'bad-value') return error.detail.explanation ?? error.message;
      throw error;
    });
    await store.commit(changing(...takeScan(row, to, scanLost), ...recordLook(id, look, now)), systemActor);
    const maxMissed = Math.max(fewMissed, Math.floor((counters.total * settings.maxLostPercent) / 100));
    const progress = new ScanProgress({ store, storage: id, fence: fence + 1, maxMissed }, cursor ?? '', counters);
    piece.held = { fence: fence + 1, progress };
    if (typeof options !== 'string') return { storage, look, options, progress, piece };
    const problem = `Expected a regular expression as the metadata "excludefilter": ${options}. When it is mended: POST /storage/${id}/rescan`;
    await stop(id, progress, look.seen[0]!, problem);
    return undefined;
  }

  async function initialCounters({ storageId: id, found }: ScanRow): Promise<ScanCounters> {
    const { accepted, careful } = parseCounters(found);
    const total = (await filesExpected(store, { id }))?.files ?? 0;
    return { ...parseCounters('{}'), total, ...(accepted && { accepted }), ...(careful && { careful }) };
  }

  async function go({ storage, look, options, progress, piece }: Begun, context: PieceContext): Promise<Outcome> {
    const { id } = storage;
    const { fence } = piece.held!;
    const release = (...changes: Statement[]) =>
      progress.commit(progress.saved(), releaseScan({ id, fence }), ...changes);
    const browsing = look.seen.find(({ method, driver }) => method.browse === 1 && driver.can.list && driver.list);
    const reading = look.seen.find(({ method }) => method.read === 1);
    const isBrowsed = [...look.seen, ...look.unseen].some(({ method }) => method.browse === 1);
    const seen = browsing ?? reading;
    const parted = { store, clock, storage: id, options, progress };
    try {
      const isListed = !unlisted.has(storage.type);
      let isDone = true;
      if (isListed && browsing) isDone = await listingPass({ ...parted, seen: browsing }, context);
      // A method that lists files may only be out of reach now.
      else if (isListed && reading && !isUnreached(look)) {
        isDone = await openFilesPass({ ...parted, seen: reading }, context);
      }
      if (!isDone) {
        await release();
        return 'over';
      }
      await end(id, progress, isListed && (browsing !== undefined || !isBrowsed));
      return 'done';
    } catch (error) {
      if (error === scanLost) return 'done';
      if (error instanceof ScanStopped) await stop(id, progress, seen!, error.message);
      else if (context.signal.aborted || error instanceof ServiceError) {
        // The lease ends by itself where the database does not answer either.
        await release().catch(() => undefined);
        if (!context.signal.aborted) throw error;
        return 'over';
      } else await fail(id, progress, seen!, error);
      return 'done';
    }
  }

  async function end(id: string, progress: ScanProgress, isScanned: boolean): Promise<void> {
    const now = clock.now();
    const { accepted: _accepted, careful: _careful, ...counters } = progress.found;
    const ended = endScan({ id, now, found: JSON.stringify(counters) });
    await progress.commit(ended, ...(isScanned ? [storageScanned({ id, seenAt: now })] : []));
    const { fresh, changed, lost: lostCount, skipped } = counters;
    const level = fresh + changed + lostCount > 0 ? 'info' : 'debug';
    log.write(level, 'scan-ended', { storage: id, seen: counters.seen, fresh, changed, lost: lostCount, skipped });
  }

  /** The listing failed: no file is judged by it. */
  async function fail(id: string, progress: ScanProgress, { method }: ReachableMethod, error: unknown): Promise<void> {
    const now = clock.now();
    const failed = methodFailed({ id: method.id, lastFailure: now, failureMessage: lookError(error) });
    await progress.commit(progress.saved(), putOffScan({ id, now }), failed, storageSilent({ id }));
    log.write('warn', 'scan-failed', { storage: id, kind: kindOfFailure(error), reason: lookError(error) });
  }

  async function stop(id: string, progress: ScanProgress, { method }: ReachableMethod, problem: string): Promise<void> {
    const stopped = stopScan({ id, problem, found: JSON.stringify(progress.found) });
    const methodFailure = methodFailed({ id: method.id, lastFailure: clock.now(), failureMessage: problem });
    await progress.commit(progress.saved(), stopped, methodFailure);
    log.write('warn', 'scan-stopped', { storage: id, reason: problem });
  }

  return {
    turn,
    startAlone(now: number) {
      aloneSince = now;
    },
  };
}

/** Whether a method that scans go by does not answer just now. */
const isUnreached = ({ seen, unseen }: Look): boolean =>
  unseen.some(({ method }) => method.browse === 1) && !seen.some(({ method }) => method.browse === 1);
