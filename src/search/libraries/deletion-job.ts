import { mustHave } from '../../assets/access/access.ts';
import { libraryName } from '../../assets/libraries/kinds.ts';
import { findLibrary } from '../../assets/libraries/store.ts';
import { JobFails, type JobType } from '../../jobs/job-type.ts';
import { ServiceError } from '../../lib/errors.ts';
import { deletionsOf } from './delete.ts';
import type { LibraryParts } from './parts.ts';
import { callerNamed } from './users.ts';

export const deletionName = 'DELETE_LIBRARY';

/** Job that deletes libraries in one commit. Libraries deleted meanwhile are skipped. */
export function deletionType(parts: LibraryParts): JobType {
  return {
    type: deletionName,
    data: ['libraryId'],
    steps: [
      {
        step: 100,
        description: 'Deleting libraries',
        async run(job) {
          const call = await callerNamed(parts, job.user);
          if (!call) throw new JobFails(`Expected a user that is enabled: "${job.user ?? ''}"`);
          const there: string[] = [];
          for (const id of JSON.parse(String(job.memo['libraries'])) as readonly string[]) {
            const row = await findLibrary(parts.store, { id });
            if (!row) continue;
            // Rights may have been revoked since the request.
            await mustHave(parts.store, call, libraryName, row, 'ALL').catch((error: unknown) => {
              throw error instanceof ServiceError ? new JobFails(`Expected the right to delete ${id}`) : error;
            });
            there.push(id);
          }
          return { work: await deletionsOf(parts, there), says: [`Deleted ${there.length} libraries`] };
        },
      },
    ],
    ended: async () => ({ changes: [], events: [] }),
  };
}
