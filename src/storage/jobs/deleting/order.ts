import { changing, nothing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { NewJob, StartedJob } from '../../../room/jobs/contract.ts';
import { describeJob, optional, text } from '../../../room/jobs/memo.ts';
import { applyFileValues, type ChangeTime } from '../../files/changes/rules.ts';
import { noSuchFile } from '../../files/refusals.ts';
import type { FileUses } from '../../files/states.ts';
import { type FileRow, fileThere } from '../../files/store.ts';
import { nameFile } from '../store.ts';

export const fileDeletion = describeJob('DELETE_FILE', {
  memo: { fileId: text, storageId: text, itemId: optional(text) },
  tells: ['fileId', 'storageId', 'itemId'],
});

/** Deletion of a file as a job. */
export const fileDeletionJob = (row: FileRow, itemId: string | undefined): NewJob<typeof fileDeletion.memo> => ({
  job: fileDeletion,
  memo: { fileId: row.id, storageId: row.storageId, itemId },
});

/** Commit that starts the job, from which on the file waits for its deletion. */
export function startDeletion(
  row: FileRow,
  uses: FileUses,
  { jobId, work }: StartedJob,
  guards: readonly Statement[],
  when: ChangeTime,
): CommitPlan {
  const { id } = row;
  const marked = applyFileValues(row, { state: 'TO_BE_DELETED' }, uses, when);
  const named = changing(nameFile({ fileId: id, jobId }));
  return together(changing(...guards, fileThere({ id }, noSuchFile(id))), work, named, marked ?? nothing);
}
