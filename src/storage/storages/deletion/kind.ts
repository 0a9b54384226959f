import { groupBy } from '../../../core/lib/group-by.ts';
import { changedMeanwhile, isChanged } from '../../../core/lib/retry-when-changed.ts';
import { systemActor } from '../../../core/store/contract.ts';
import { type Piece, type WorkKind, workKind } from '../../../core/work/kind.ts';
import type { FileUses } from '../../files/states.ts';
import { usesOf } from '../../files/store.ts';
import type { MediaParts } from '../../parts.ts';
import { forgetLast, forgetSome } from './rules.ts';
import { deletedStorages, firstFiles, storagesDue, waitingToGo } from './store.ts';

/** Files in one commit: each has an event, and other commits wait meanwhile. */
const batch = 200;
/** Milliseconds after which a step is tried again that failed. */
const pause = 5000;

/**
 * Deletes the rows of deleted storages in bounded batches. Several instances may run it concurrently: guards tell which
 * rows still exist.
 */
export function storageDeletionKind({ store, clock }: Pick<MediaParts, 'store' | 'clock'>): WorkKind {
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** Gives the number of files that it forgot. */
  async function step(id: string): Promise<number> {
    const elsewhere = changedMeanwhile('Storage', id);
    const files = await firstFiles(store, { id, limit: batch });
    if (files.length === 0) {
      await store.commit(forgetLast(id, elsewhere), systemActor);
    } else {
      await store.commit(forgetSome(files, await usesOfFiles(files), elsewhere), systemActor);
    }
    return files.length;
  }

  async function usesOfFiles(files: readonly { readonly id: string }[]): Promise<Map<string, FileUses>> {
    const rows = await usesOf(store, { ids: files.map(({ id }) => id) });
    const distinct = (values: readonly string[]) => [...new Set(values)];
    return new Map(
      [...groupBy(rows, ({ fileId }) => fileId)].map(([fileId, uses]) => [
        fileId,
        { shapeId: distinct(uses.map((use) => use.shapeId)), itemId: distinct(uses.map((use) => use.itemId)) },
      ]),
    );
  }

  return workKind<Piece>({
    name: 'storage-deletion',
    says: 'Deletes the file entries of deleted storages',
    hosts: ['loop', 'edge'],
    priority: 60,
    concurrency: 1,
    wokenBy: ['storage/delete'],
    due: () => storagesDue,
    dueHere: (due) => Math.max(due, restsUntil),
    async claim(most, _now, isHeld) {
      const rows = await deletedStorages(store, { limit: most + 1 });
      const free = rows.filter(({ id }) => !isHeld(id));
      return free.slice(0, most).map(({ id }) => ({ key: id }));
    },
    async do({ key }, held) {
      try {
        for (let files = batch; files > 0 && held.mayGoOn(); ) {
          files = await step(key);
          held.done(files);
        }
      } catch (error) {
        restsUntil = clock.now() + pause;
        // Conflict: a second instance deletes the same storage. The next run sees what is left.
        if (!isChanged(error)) throw error;
      }
    },
    async measure() {
      const [row] = await waitingToGo(store, {});
      return { waiting: row?.count ?? 0, oldest: row?.oldest ?? undefined };
    },
  });
}
