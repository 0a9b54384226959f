import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import type { JobEnd, LeasedJob } from '../../../room/jobs/job-type.ts';
import { applyFileValues, type ChangeTime } from '../../files/changes/rules.ts';
import { changeFile, type FileUses, fileEvent, newFile, noUses, unseenFile } from '../../files/rules.ts';
import { deleteRow, type FileRow, moveExternalIds, type NewFile, removeUses } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import {
  beginReading,
  endReading,
  forgetFileJobs,
  forgetJob,
  forgetUnended,
  letRest,
  nameFile,
  shareKeys,
  shareUses,
  stillToAppear,
} from '../store.ts';
import type { CopyMemo } from './order.ts';

/** The row of a file that a job is about to write. Callers see that it will appear. */
export function reserveTarget(job: LeasedJob, source: FileRow, target: NewFile): CommitPlan {
  const { changes, events } = newFile(target, changedMeanwhile('File', target.id));
  return {
    changes: [
      storageThere({ id: target.storageId }, noSuchStorage(target.storageId)),
      ...changes,
      nameFile({ fileId: target.id, jobId: job.id }),
      ...beginReading({ fileId: source.id, jobId: job.id }),
    ],
    events,
  };
}

export const targetRow = (id: string, storageId: string, path: string, now: number): NewFile =>
  unseenFile({ id, storageId, path, state: 'TO_APPEAR' }, now);

/** Adds the copy to all components with the source. A move also keeps the name for clients. */
export function shareSource(source: FileRow, target: FileRow, uses: FileUses, moves: boolean): CommitPlan {
  const both = { from: source.id, to: target.id };
  const isUsed = uses.shapeId.length > 0;
  return {
    changes: [shareUses(both), ...(moves ? [shareKeys(both), moveExternalIds(both)] : [])],
    events: isUsed ? [fileEvent('file/change', target, uses)] : [],
  };
}

/** The bytes of the source go when the grace time is over. */
export function removeSource(source: FileRow, uses: FileUses, when: ChangeTime): CommitPlan {
  const work = applyFileValues(source, { state: 'TO_BE_DELETED' }, uses, when);
  return { changes: [removeUses({ fileId: source.id }), ...(work?.changes ?? [])], events: work?.events ?? [] };
}

/** Cleans up the target of a failed or aborted copy. No backup can need its bytes. */
export function dropTarget(target: FileRow, now: number): CommitPlan {
  if (target.state === 'TO_BE_DELETED') return changing();
  const { id } = target;
  if (target.state === 'TO_APPEAR' && target.content === null) {
    const changed = changedMeanwhile('File', id);
    const changes = [
      stillToAppear({ id }, changed),
      ...forgetEntity('file', id),
      forgetFileJobs({ fileId: id }),
      deleteRow({ id }),
    ];
    return { changes, events: [fileEvent('file/delete', target)] };
  }
  return changeFile(target, { state: 'TO_BE_DELETED', hashDue: null, deleteDue: now, timestamp: now }, noUses);
}

/** Ends the job's reading of the source. */
export const releaseSource = (job: LeasedJob, { fileId }: Pick<CopyMemo, 'fileId'>): readonly Statement[] =>
  endReading({ fileId, jobId: job.id });

/** The rows of a job that has made its copy. Storage rules leave the copy alone for the time that the caller wanted. */
export function letTargetRest(
  jobId: string,
  { destinationFileId, timeRequirement = 0 }: CopyMemo,
  now: number,
): Statement[] {
  if (destinationFileId === undefined || timeRequirement === 0) return [forgetJob({ jobId })];
  return [letRest({ fileId: destinationFileId, jobId, until: now + timeRequirement * 1000 }), forgetUnended({ jobId })];
}

export const restsAfter = (how: JobEnd, { rest }: CopyMemo): boolean => how !== 'FINISHED' && rest !== undefined;
