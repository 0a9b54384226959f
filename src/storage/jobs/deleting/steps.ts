import { changing } from '../../../core/store/commit-plan.ts';
import { JobFails, type JobType } from '../../../room/jobs/job-type.ts';
import { removeFile } from '../../files/deletion/remove.ts';
import { findFile } from '../../files/store.ts';
import type { FileJobParts } from '../parts.ts';
import { forgetJob, isInOtherJobs, nameFile } from '../store.ts';
import { jobError, waitsForFile } from '../waits.ts';
import { fileDeletion } from './order.ts';

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
