import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../core/store/contract.ts';
import { type Piece, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import { removeAutoImport } from '../auto-import-sql.ts';
import { storageEvent } from '../events.ts';
import { type FileUses, fileEvent, noUses } from '../files/rules.ts';
import { usesOf } from '../files/store.ts';
import type { StorageParts } from '../parts.ts';
import {
  deletedStorages,
  filesExist,
  firstFiles,
  forgetStorage,
  forgetStorageFiles,
  leaveGroups,
  markDeleted,
  stopScans,
  storageIsEmpty,
  storagesDue,
  unused,
  waitingToGo,
} from './deletion-sql.ts';
import { noSuchStorage } from './rules.ts';
import { type StorageRow, storageThere } from './store.ts';

/** The storage is gone at once. Work forgets its files, whatever their number; their bytes stay. */
export function deleteStorage({ id }: StorageRow, safe: boolean, now: number): CommitPlan {
  return {
    changes: [
      storageThere({ id }, noSuchStorage(id)),
      ...(safe ? [unused({ id }, stillUsed(id))] : []),
      markDeleted({ id, now }),
      stopScans({ storageId: id }),
      removeAutoImport({ storageId: id }),
      leaveGroups({ id }),
    ],
    events: [storageEvent('storage/delete', id, { storageId: id })],
  };
}

const stillUsed = (id: string): ServiceError =>
  new ServiceError('storage-used', {
    type: 'Storage',
    id,
    explanation: 'Expected a storage without files of items: leave "safe" out to detach them',
  });

interface Gone {
  readonly id: string;
  readonly storageId: string;
}

/** Forgets some files of a deleted storage. `elsewhere`: the refusal where another instance was faster. */
function forgetSome(files: readonly Gone[], uses: ReadonlyMap<string, FileUses>, elsewhere: ServiceError): CommitPlan {
  const ids = files.map(({ id }) => id);
  return {
    changes: [
      filesExist({ ids, count: files.length }, elsewhere),
      ...forgetStorageFiles.map((statement) => statement({ ids })),
    ],
    events: files.map((gone) => fileEvent('file/delete', gone, uses.get(gone.id) ?? noUses)),
  };
}

/** Forgets the storage itself, once it has no files. */
const forgetLast = (id: string, elsewhere: ServiceError): CommitPlan =>
  changing(
    storageIsEmpty({ id }, elsewhere),
    ...forgetEntity('storage', id),
    ...forgetStorage.map((statement) => statement({ id })),
  );

/** Files in one commit: each has an event, and other commits wait meanwhile. */
const batch = 200;
/** Milliseconds after which a step is tried again that failed. */
const pause = 5000;

/**
 * Deletes the rows of deleted storages in bounded batches. Several instances may run it concurrently: guards tell which
 * rows still exist.
 */
export function storageDeletionKind({ store, clock }: Pick<StorageParts, 'store' | 'clock'>): WorkKind {
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
    async claim(max, _now, isHeld) {
      const rows = await deletedStorages(store, { limit: max + 1 });
      const free = rows.filter(({ id }) => !isHeld(id));
      return free.slice(0, max).map(({ id }) => ({ key: id }));
    },
    async do({ key }, context) {
      try {
        for (let files = batch; files > 0 && context.mayGoOn(); ) {
          files = await step(key);
          context.done(files);
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
