import type { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import { forgetFileJobs, notInJobs } from '../../jobs/store.ts';
import { afterMove } from '../../storages/evacuation/rules.ts';
import { type FileUses, fileEvent } from '../states.ts';
import { deleteRow, type FileRow, fileUnchanged } from '../store.ts';

/** The id of the row that keeps others from the path of a file while its bytes go. */
export const fileRemoval = (fileId: string): string => `remove ${fileId}`;

/** A file is gone, its bytes too. `jobId`: the job that does it, which may name the file. */
export function forgetDeleted(row: FileRow, uses: FileUses, jobId: string, elsewhere: ServiceError): CommitPlan {
  const { id, version, storageId } = row;
  return {
    changes: [
      fileUnchanged(id, version, elsewhere),
      notInJobs({ fileId: id, jobId }, elsewhere),
      ...forgetEntity('file', id),
      forgetFileJobs({ fileId: id }),
      deleteRow({ id }),
      afterMove(storageId),
    ],
    events: [fileEvent('file/delete', row, uses)],
  };
}

export const changedWhileRemoved = (id: string): ServiceError => changedMeanwhile('File', id);

/** Milliseconds after each refusal of a storage: a minute at first, an hour at most. */
export const pauseAfter = (refusals: number): number => Math.min(60_000 * 2 ** Math.min(refusals - 1, 10), 3_600_000);
