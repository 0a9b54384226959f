import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { badParameter, choice, list, text } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { subjectOf } from '../../../security/caller.ts';
import { noSuchJob } from '../ending/rules.ts';
import { jobOf, seesAllJobs } from '../kind.ts';
import type { JobRoomParts } from '../parts.ts';
import { restartOf } from './restart.ts';
import { deleteJobs, release, setJobPriority } from './rules.ts';
import { statesOfJobs } from './store.ts';

const write = role('_job_write');
const mostAtOnce = 1_000;

/** Routes that change existing jobs: release, priority, restart, deletion. */
export function changingRoutes(parts: JobRoomParts): readonly Route[] {
  const { store } = parts;

  return [
    route({
      method: 'PUT',
      path: '/job/:job',
      says: 'Sets the priority of a job, or starts a job on HOLD: status=READY.',
      query: {
        priority: choice('The new priority', jobPriorities),
        status: choice('READY: the job continues', ['READY']),
      },
      access: write,
      acting: 'allowed',
      async handle(call, { job }) {
        const { priority, status } = call.query;
        await retryWhenChanged(async () => {
          const row = await jobOf(store, call, job);
          const released = status === undefined ? undefined : release(row);
          // Without either, the job gets the priority that jobs have usually.
          const wanted = priority ?? (released ? undefined : 'MEDIUM');
          const raised = wanted && setJobPriority(row, wanted);
          if (released) await call.commit(released);
          if (raised) await call.commit(raised);
        });
      },
    }),
    route({
      method: 'DELETE',
      path: '/job',
      says: 'Deletes ended jobs. Their files and items stay. Unknown ids are ignored for callers who may read all jobs, and 404 for others.',
      query: { id: list(text('The jobs', { required: true, expected: 'Expected ids' })) },
      access: write,
      acting: 'allowed',
      async handle(call) {
        const named = new Set(call.query.id);
        if (named.size > mostAtOnce)
          throw badParameter('id', `Expected at most ${mostAtOnce} jobs`, String(named.size));
        const ids = [...named];
        const seesAll = await seesAllJobs(call);
        await retryWhenChanged(async () => {
          const rows = await statesOfJobs(store, { ids });
          if (!seesAll) requireOwn(named, rows, subjectOf(call).name);
          if (rows.length > 0) await call.commit(deleteJobs(rows));
        });
      },
    }),
    route({
      method: 'POST',
      path: '/job/:job/re-run',
      says: 'Creates a new job of the caller with the type and data of this job.',
      query: { priority: choice('Priority of the new job. Default: the priority of the old job', jobPriorities) },
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      handle: (call, { job }) =>
        retryWhenChanged(async () => {
          const row = await jobOf(store, call, job);
          const { work, document } = await restartOf(parts, call, row, call.query.priority);
          await call.commit(work);
          return document;
        }),
    }),
  ];
}

/** Refuses jobs of other users like missing ones, so that callers cannot tell them apart. */
function requireOwn(ids: Iterable<string>, rows: readonly Pick<JobRow, 'id' | 'user'>[], user: string): void {
  const own = new Set(rows.flatMap((row) => (row.user === user ? [row.id] : [])));
  for (const id of ids) if (!own.has(id)) throw noSuchJob(id);
}
