import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor, tableConcern } from '../../../core/store/contract.ts';
import { type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import { parseCounters } from '../counters.ts';
import { scanLost } from './progress.ts';
import { createScans, type ScanParts, type ScanSlice, scanLease } from './scan.ts';
import { countScans, dueScans, endScanLeases, lookNow, renewScan, scansDue, scansUnderWay } from './store.ts';

/** Concurrent scans of an instance. */
const concurrency = 4;
/** Milliseconds until an instance asks again for a storage that it does not see. */
const unseenRest = 10_000;
/** Limit of scans with visible progress. */
const maxReported = 100;

/** Work that compares due storages with their files. One scan of a storage at a time, over all instances. */
export function scanKind(parts: ScanParts): WorkKind {
  const { store, clock } = parts;
  const scans = createScans(parts);
  const restsUntil = new Map<string, number>();

  return workKind<ScanSlice>({
    name: 'scans',
    says: 'Scans storages',
    hosts: ['loop', 'edge'],
    priority: 65,
    concurrency,
    wokenBy: [tableConcern('storage_scan')],
    due: () => scansDue,
    lease: {
      milliseconds: scanLease,
      lost: scanLost,
      async renew({ key: id, held }, until) {
        await held?.progress.commit(renewScan({ storageId: id, leaseUntil: until }), held.progress.saved());
      },
    },
    async claim(max, now, isHeld) {
      for (const [id, until] of restsUntil) if (until <= now) restsUntil.delete(id);
      const limit = max + concurrency + restsUntil.size;
      const due = await dueScans(store, { now, limit });
      const free = due.filter(({ storageId }) => !isHeld(storageId) && !restsUntil.has(storageId));
      return free.slice(0, max).map(({ storageId }): ScanSlice => ({ key: storageId, held: undefined }));
    },
    async do(piece, context) {
      const outcome = await scans.turn(piece, context).catch((error: unknown) => {
        // Conflict: a second instance has taken the scan.
        if (error === scanLost) return 'done' as const;
        restsUntil.set(piece.key, clock.now() + unseenRest);
        throw error;
      });
      if (outcome === 'unseen') restsUntil.set(piece.key, clock.now() + unseenRest);
    },
    async measure() {
      const now = clock.now();
      const [row] = await countScans(store, { now });
      const underWay = await scansUnderWay(store, { limit: maxReported });
      return {
        waiting: row?.waiting ?? 0,
        oldest: row?.oldest ?? undefined,
        running: row?.running ?? 0,
        pieces: underWay.map(({ storageId, startedAt, found, problem }) => {
          const { seen, total } = parseCounters(found);
          return { name: storageId, done: seen, of: total, since: startedAt ?? undefined, says: problem ?? undefined };
        }),
      };
    },
    async takeBack() {
      const now = clock.now();
      const [ended = []] = await store.commit(changing(endScanLeases({}), lookNow({ now })), systemActor);
      // A storage that went while nothing ran would be READY until its scan is due, and until another instance could see it.
      scans.startAlone(now);
      return ended.length;
    },
  });
}
