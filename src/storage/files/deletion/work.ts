import { ServiceError } from '../../../core/lib/errors.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import { isChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import type { FileRow } from '../store.ts';
import { pathBusy, pauseAfter, type RemoveParts, removeFile } from './remove.ts';
import {
  deletionsDue,
  endLocks,
  filesToDelete,
  forgetFileLocks,
  leftLocks,
  postpone,
  waitingDeletions,
} from './store.ts';

interface DeletionParts extends RemoveParts {
  readonly log: Log;
}

interface DueFile extends Piece {
  readonly row: FileRow;
}

const concurrency = 4;
/** Milliseconds until a busy file is retried. */
const busyPause = 5_000;
/** Limit of remembered refusals. A forgotten file is retried sooner. */
const maxRemembered = 10_000;

/** Removes the bytes of files that wait for their deletion, once they are unused. */
export function fileDeletionKind(parts: DeletionParts): WorkKind {
  const { store, clock, log } = parts;
  /** Times in a row that the storage refused, by file. */
  const refusals = new Map<string, number>();
  const restUntil = new Map<string, number>();

  /** Postpones a refused deletion. The delay grows with each failure, so other files come first. */
  async function refused({ id, storageId }: FileRow, error: unknown, context: PieceContext): Promise<void> {
    const count = (refusals.get(id) ?? 0) + 1;
    if (refusals.size >= maxRemembered) refusals.clear();
    refusals.set(id, count);
    const says = error instanceof ServiceError ? (error.detail.explanation ?? error.code) : (error as Error).message;
    context.failed(`Expected the storage ${storageId} to delete the file ${id}: ${says}`);
    log.write('warn', 'file-not-deleted', { file: id, storage: storageId, times: count, ...describeError(error) });
    const due = clock.now() + pauseAfter(count);
    await store.commit(changing(postpone({ id, due })), systemActor);
  }

  return workKind<DueFile>({
    name: 'file-deletion',
    says: 'Removes the bytes of deleted files after their grace time',
    hosts: ['loop', 'edge'],
    priority: 65,
    concurrency,
    wokenBy: [],
    due: () => deletionsDue,
    async claim(max, now, isHeld) {
      for (const [id, until] of restUntil) if (until <= now) restUntil.delete(id);
      if (await leftLocks(store, { now })) {
        await store.commit(changing(forgetFileLocks({ now })), systemActor);
      }
      const limit = max + concurrency + restUntil.size;
      const rows = (await filesToDelete(store, { now, limit })).filter(({ id }) => !isHeld(id) && !restUntil.has(id));
      return rows.slice(0, max).map((row): DueFile => ({ key: row.id, row }));
    },
    async do({ row }, context) {
      try {
        await removeFile(parts, row, '', (work) => store.commit(work, systemActor));
        refusals.delete(row.id);
        context.done();
      } catch (error) {
        if (error === pathBusy || isChanged(error)) {
          restUntil.set(row.id, clock.now() + busyPause);
        } else await refused(row, error, context);
      }
    },
    async measure() {
      const measured = await waitingDeletions(store, { now: clock.now() });
      return { waiting: measured?.count ?? 0, oldest: measured?.oldest ?? undefined };
    },
    async takeBack() {
      const [ended = []] = await store.commit(changing(endLocks({})), systemActor);
      return ended.length;
    },
  });
}
