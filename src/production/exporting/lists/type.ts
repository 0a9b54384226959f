import { mayRead } from '../../../assets/access/public.ts';
import { libraryName } from '../../../assets/items/public.ts';
import { callerOfJob } from '../../../assets/search/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, nothing } from '../../../core/store/commit-plan.ts';
import { JobFails, type JobType, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { openDestination } from '../destination.ts';
import { splitUri } from '../destination-uri.ts';
import type { ExportParts } from '../parts.ts';
import { numbered } from '../running/naming.ts';
import { dropStaged } from '../running/type.ts';
import { writeBytes } from '../running/write.ts';
import { forgetExportedFiles, insertExportedFiles, nextFiles, writeFile } from '../store.ts';
import { contentOf } from './content.ts';
import { listJob } from './list-job.ts';

/** Lists of one name at one place. */
const maxNumbers = 1000;

/** Writes a list of items to a place outside of the service. Nothing of an item changes. */
export function listType(parts: ExportParts): JobType<typeof listJob.memo> {
  const { store } = parts;
  const record = (job: LeasedJob, changes: Parameters<typeof store.commit>[0]['changes']) =>
    store.commit(changing(job.mine, ...changes), job.actor);

  /** The one row of the job, made where there is none yet. */
  async function rowOf(job: LeasedJob, wished: string) {
    const query = { jobId: job.id, position: -1, states: ['waiting'], limit: 1 };
    const [row] = await nextFiles(store, query);
    if (row) return row;
    const files = [['', '', '', wished]];
    await record(job, [insertExportedFiles({ jobId: job.id, position: 0, files })]);
    return (await nextFiles(store, query))[0]!;
  }

  return {
    ...listJob,
    needs: ({ libraryId: id }) => (id === undefined ? [] : [{ on: 'library', id, level: 'READ' }]),
    takesLong: ({ libraryId }) => libraryId !== undefined,
    async restart({ memo: { libraryId: id }, caller }) {
      if (id !== undefined) await mayRead(store, caller, libraryName, { id });
      return nothing;
    },
    steps: [
      {
        step: 100,
        description: 'Listing items',
        async run(job) {
          const { memo } = job;
          const call = await callerOfJob(parts, job);
          const { folder, name = `items.${memo.format}` } = splitUri(memo.destinationUri);
          const destination = await openDestination(parts, folder);
          await job.begins();
          const row = await rowOf(job, name);
          let count = () => 0;
          const written = await writeBytes(destination, job, {
            *names() {
              for (let number = 0; number < maxNumbers; number++) yield numbered(row.wished, number);
            },
            companions: () => [],
            begun: row,
            async open(write) {
              const content = await contentOf(parts, call, memo).catch((error: unknown) => {
                // The user or the group of the list went meanwhile.
                if (error instanceof ServiceError && error.code === 'no-such-entity') throw new JobFails(error.message);
                throw error;
              });
              count = content.count;
              return write({ body: content.body, size: undefined });
            },
            record: async (name, token) => {
              const { jobId, position, state } = row;
              await record(job, [writeFile({ jobId, position, name, state, token, size: null, sha256: null })]);
            },
          });
          const uri = folder + written.split('/').map(encodeURIComponent).join('/');
          return { says: [`Items: ${count()}`], data: [['exportedUris', uri]] };
        },
      },
    ],
    async ended(job, how) {
      if (how !== 'FINISHED') await dropStaged(parts, job, job.memo.destinationUri);
      return changing(forgetExportedFiles({ jobId: job.id }));
    },
  };
}
