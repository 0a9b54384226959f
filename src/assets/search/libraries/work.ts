import { changedMeanwhile, isChangedOrGone } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import { type Piece, steps, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import type { LibraryRow } from '../../items/public.ts';
import { deletionOf } from './deletion.ts';
import { countedLibraryHook, type LibraryParts, sharedLibraryHook } from './parts.ts';
import { refreshLibrary } from './refresh.ts';
import { nextLibraryUpdate } from './rules.ts';
import {
  countDue,
  dueLibraries,
  isUnused,
  moveLibraryUpdate,
  refreshDue,
  sameDue,
  unusedDue,
  unusedLibraries,
} from './store.ts';

const overtaken = changedMeanwhile('Library', 'due');

interface DueLibrary extends Piece {
  readonly row: LibraryRow;
}

/** Background work that refreshes libraries at their frequency. */
export function libraryRefreshKind(parts: LibraryParts): WorkKind {
  const { store, clock } = parts;

  /** Claims the refresh by setting the next due time. False: another instance was faster. */
  async function take(row: LibraryRow, now: number): Promise<boolean> {
    const { id } = row;
    const changes = [
      sameDue({ id, due: row.due! }, overtaken),
      moveLibraryUpdate({ id, due: nextLibraryUpdate(row, now) }),
    ];
    try {
      await store.commit({ changes, events: [] }, systemActor);
      return true;
    } catch (error) {
      if (error === overtaken) return false;
      throw error;
    }
  }

  return workKind<DueLibrary>({
    name: 'library-refresh',
    says: 'Refreshes libraries that have an interval',
    priority: 72,
    concurrency: 1,
    longest: 600_000,
    wokenBy: ['library.members'],
    due: () => refreshDue,
    async claim(max, now, isHeld) {
      const due = (await dueLibraries(store, { now, limit: max + 1 })).filter(({ id }) => !isHeld(id));
      const pieces: DueLibrary[] = [];
      for (const row of due.slice(0, max)) if (await take(row, now)) pieces.push({ key: row.id, row });
      return pieces;
    },
    async do({ row }, lease) {
      await refreshLibrary(parts, row.id);
      lease.done();
    },
    async measure() {
      const counted = await countDue(store, { now: clock.now() });
      return { waiting: counted?.waiting ?? 0, oldest: counted?.oldest ?? undefined };
    },
  });
}

/** Libraries per step, and poll interval in milliseconds. */
const [limit, rest] = [50, 600_000];
const hour = 3_600_000;
const start = { usedAt: -1, serial: -1 };

/** Background work that deletes unused libraries, unless anything refers to them. */
export function libraryExpiryKind(parts: LibraryParts): WorkKind {
  const { store, clock, settings, hooks } = parts;
  let cursor = start;

  return steps({
    name: 'library-expiry',
    says: 'Deletes expired libraries',
    priority: 91,
    clock,
    rest,
    due: () => unusedDue(settings.libraryExpiry * hour),
    async step() {
      if (settings.libraryExpiry === 0) return false;
      const before = clock.now() - settings.libraryExpiry * hour;
      const page = await unusedLibraries(store, { ...cursor, before, limit });
      for (const { id } of page.filter(({ held }) => held === 0)) {
        const used = changedMeanwhile('Library', id);
        const unshared = hooks.find(sharedLibraryHook)?.(id, used);
        const unused = changing(
          isUnused({ id, before }, used),
          hooks.need(countedLibraryHook)(id, used),
          ...(unshared ? [unshared] : []),
        );
        try {
          await store.commit(together(unused, await deletionOf(parts, id)), systemActor);
        } catch (error) {
          // Used again, counted by a quota rule, or taken by another instance.
          if (!isChangedOrGone(error)) throw error;
        }
      }
      const last = page.at(-1);
      cursor = page.length < limit || !last ? start : { usedAt: last.usedAt, serial: last.serial };
      return page.length === limit;
    },
  });
}
