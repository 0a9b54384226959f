import { nothing, together } from '../../../core/store/commit-plan.ts';
import type { Actor, CommitPlan } from '../../../core/store/contract.ts';
import { badParameter, choice, flag, list, text } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { commitJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobPriorities, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { type JobDescription, MemoMismatch } from '../../../room/jobs/memo.ts';
import { dataOf } from '../../../room/jobs/rules.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { jobOf, seesAllJobs, writesJobs } from '../entity.ts';
import { jobDocumentOf } from '../list/documents.ts';
import type { JobRoomParts } from '../parts.ts';
import { jobLost, memoOf } from '../running/rules.ts';
import { jobHeld } from '../running/store.ts';
import { statesOfJobs } from '../store.ts';
import { restartOf } from './restart.ts';
import {
  type Abort,
  abortAtOnce,
  abortJob,
  deleteJobs,
  endsAtOnce,
  noSuchJob,
  release,
  setJobPriority,
} from './rules.ts';

const maxAtOnce = 1_000;

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
      access: writesJobs,
      acting: 'allowed',
      async handle(call, { job }) {
        const { priority, status } = call.query;
        await call.change(async () => {
          const row = await jobOf(store, call, job);
          const released = status === undefined ? nothing : release(row);
          // Without either, the job gets the priority that jobs have usually.
          const wanted = priority ?? (status === undefined ? 'MEDIUM' : undefined);
          return wanted ? together(released, setJobPriority(row, wanted)) : released;
        });
      },
    }),
    route({
      method: 'DELETE',
      path: '/job',
      says: 'Deletes ended jobs. Their files and items stay. Unknown ids are ignored for callers who may read all jobs, and 404 for others.',
      query: { id: list(text('The jobs', { required: true, expected: 'Expected ids' })) },
      access: writesJobs,
      acting: 'allowed',
      async handle(call) {
        const named = new Set(call.query.id);
        if (named.size > maxAtOnce) throw badParameter('id', `Expected at most ${maxAtOnce} jobs`, String(named.size));
        const ids = [...named];
        const seesAll = await seesAllJobs(call);
        await call.change(async () => {
          const rows = await statesOfJobs(store, { ids });
          if (!seesAll) requireOwn(named, rows, subjectOf(call).name);
          return rows.length > 0 ? deleteJobs(rows) : undefined;
        });
      },
    }),
    route({
      method: 'POST',
      path: '/job/:job/re-run',
      says: 'Creates a new job of the caller with the type and data of this job.',
      query: { priority: choice('Priority of the new job. Default: the priority of the old job', jobPriorities) },
      answers: jobDocument,
      access: writesJobs,
      acting: 'allowed',
      handle: (call, { job }) =>
        commitJob(call, async () => restartOf(parts, call, await jobOf(store, call, job), call.query.priority)),
    }),
  ];
}

/** Refuses jobs of other users like missing ones, so that callers cannot tell them apart. */
function requireOwn(ids: Iterable<string>, rows: readonly Pick<JobRow, 'id' | 'user'>[], user: string): void {
  const own = new Set(rows.flatMap((row) => (row.user === user ? [row.id] : [])));
  for (const id of ids) if (!own.has(id)) throw noSuchJob(id);
}

/** A job that no instance runs, for the clean-up of its type when a request ends it. Throws `MemoMismatch`. */
const restingJob = (type: JobDescription, row: JobRow): LeasedJob<never> => ({
  id: row.id,
  type: row.type,
  user: row.user ?? undefined,
  actor: JSON.parse(row.actor) as Actor,
  data: dataOf(row),
  memo: memoOf(type, row) as never,
  signal: new AbortController().signal,
  mine: jobHeld(row, jobLost),
  begins: async () => undefined,
  keeps: async () => undefined,
  progress() {},
  tells() {},
  subStep() {},
  subTask() {},
  done: async () => {
    throw new Error('Expected a job in the hands of this instance');
  },
});

type EndingParts = Pick<RoomContext, 'store' | 'jobTypes' | 'clock'>;

const query = {
  reason: text('Reason, stored in the data of the job as abortReason'),
  cleanup: flag('Whether cleanup steps run. Incomplete files are removed in any case', true),
};

export function endingRoutes(parts: EndingParts): readonly Route[] {
  const typeOf = (row: JobRow) => parts.jobTypes().find(({ type }) => type === row.type);

  async function decide(row: JobRow, { reason, cleanup }: Abort) {
    if (!endsAtOnce(row, cleanup)) return abortJob(row, { reason, cleanup });
    return abortAtOnce(row, reason, await cleanedUp(row), parts.clock.now());
  }

  /** A memo that does not fit leaves nothing to clean up. */
  async function cleanedUp(row: JobRow): Promise<CommitPlan> {
    const type = typeOf(row);
    try {
      return (type && (await type.ended?.(restingJob(type, row), 'ABORTED'))) ?? nothing;
    } catch (error) {
      if (error instanceof MemoMismatch) return nothing;
      throw error;
    }
  }

  async function abort(call: Caller, id: string, how: Abort): Promise<JobRow> {
    const aborted = await call.change(async () => {
      const { row, work } = await decide(await jobOf(parts.store, call, id), how);
      return { row, ...work };
    });
    return aborted.row;
  }

  return [
    route({
      method: 'DELETE',
      path: '/job/:job',
      says: 'Aborts a job. It is ABORTED after its cleanup.',
      query,
      answers: jobDocument,
      access: writesJobs,
      acting: 'allowed',
      async handle(call, { job }) {
        const row = await abort(call, job, call.query);
        const view = { data: true, keys: undefined, tasks: undefined };
        return jobDocumentOf(row, typeOf(row), view);
      },
    }),
  ];
}
