import { changing, nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { NewJob, StartedJob } from '../../room/jobs/contract.ts';
import { JobFails, type JobType } from '../../room/jobs/job-type.ts';
import { describeJob, optional, text } from '../../room/jobs/memo.ts';
import { applyFileValues, type ChangeTime } from '../files/changes/rules.ts';
import { removeFile } from '../files/deletion/remove.ts';
import { type FileUses, noSuchFile } from '../files/rules.ts';
import { type FileRow, fileThere, findFile } from '../files/store.ts';
import { type FileJobParts, jobError, waitsForFile } from './file-job.ts';
import { forgetJob, isInOtherJobs, nameFile } from './store.ts';

const fileDeletion = describeJob('DELETE_FILE', {
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

/** Deletions of files. Bytes that have to wait are left to the work that removes them later. */
export function fileDeletionType(parts: FileJobParts): JobType<typeof fileDeletion.memo> {
  const { store, clock } = parts;
  /** A file that is to go now. Undefined: there is none, or its bytes have to wait. */
  const dueOf = async (id: string) => {
    const row = await findFile(store, { id });
    return row?.state === 'TO_BE_DELETED' && (row.deleteDue ?? 0) <= clock.now() ? row : undefined;
  };

  return {
    ...fileDeletion,
    restart: async ({ jobId, memo: { fileId } }) => changing(nameFile({ fileId, jobId })),
    steps: [
      {
        step: 100,
        description: 'Deleting file',
        async waits(job) {
          const row = await dueOf(job.memo.fileId);
          const isNamed = row && (await isInOtherJobs(store, { fileId: row.id, jobId: job.id }));
          return isNamed ? waitsForFile('FileInUse', row.id) : undefined;
        },
        async run(job) {
          const row = await findFile(store, { id: job.memo.fileId });
          if (!row) return { says: ['The file is gone'] };
          if (row.state !== 'TO_BE_DELETED') {
            throw new JobFails(`Expected the file to stay marked for deletion: ${row.id} is ${row.state}`);
          }
          const due = row.deleteDue ?? 0;
          if (due > clock.now()) return { says: [`Its bytes go at ${new Date(due).toISOString()}`] };
          try {
            await removeFile(parts, row, job.id, (work) => job.done({ work }));
          } catch (error) {
            throw jobError(error, row.storageId);
          }
          return {};
        },
      },
    ],
    ended: async (job) => changing(forgetJob({ jobId: job.id })),
  };
}
