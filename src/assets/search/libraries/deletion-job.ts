import { ServiceError } from '../../../core/lib/errors.ts';
import { nothing } from '../../../core/store/commit-plan.ts';
import { JobFails, type JobType } from '../../../room/jobs/job-type.ts';
import { describeJob, listOf, text } from '../../../room/jobs/memo.ts';
import { mustHave } from '../../access/public-reading.ts';
import { findLibrary, libraryName } from '../../items/public.ts';
import { deletionsOf } from './delete.ts';
import type { LibraryParts } from './parts.ts';
import { callerOfJob } from './users.ts';

export const libraryDeletion = describeJob('DELETE_LIBRARY', {
  memo: { libraryId: listOf(text) },
  tells: ['libraryId'],
});

/** Job that deletes libraries in one commit. Libraries deleted meanwhile are skipped. */
export function libraryDeletionType(parts: LibraryParts): JobType<typeof libraryDeletion.memo> {
  return {
    ...libraryDeletion,
    // The step asks for the rights on each library.
    restart: async () => nothing,
    steps: [
      {
        step: 100,
        description: 'Deleting libraries',
        async run(job) {
          const call = await callerOfJob(parts, job);
          const readableIds: string[] = [];
          for (const id of job.memo.libraryId) {
            const row = await findLibrary(parts.store, { id });
            if (!row) continue;
            // Rights may have been revoked since the request.
            await mustHave(parts.store, call, libraryName, row, 'ALL').catch((error: unknown) => {
              throw error instanceof ServiceError ? new JobFails(`Expected the right to delete ${id}`) : error;
            });
            readableIds.push(id);
          }
          return { work: await deletionsOf(parts, readableIds), says: [`Deleted ${readableIds.length} libraries`] };
        },
      },
    ],
  };
}
