import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { nothing } from '../../../core/store/commit-plan.ts';
import type { Actor, CommitPlan } from '../../../core/store/contract.ts';
import { flag, text } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import type { LeasedJob } from '../../../room/jobs/job-type.ts';
import { type JobDescription, MemoMismatch } from '../../../room/jobs/memo.ts';
import { dataOf } from '../../../room/jobs/state.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import type { Caller } from '../../../security/caller.ts';
import { jobOf } from '../kind.ts';
import { jobDocumentOf } from '../list/documents.ts';
import { jobLost, memoOf } from '../running/rules.ts';
import { jobHeld } from '../running/store.ts';
import { type Abort, abortAtOnce, abortJob, endsAtOnce } from './rules.ts';

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

  const abort = (call: Caller, id: string, how: Abort): Promise<JobRow> =>
    retryWhenChanged(async () => {
      const row = await jobOf(parts.store, call, id);
      const aborted = await decide(row, how);
      if (aborted.work.changes.length > 0) await call.commit(aborted.work);
      return aborted.row;
    });

  return [
    route({
      method: 'DELETE',
      path: '/job/:job',
      says: 'Aborts a job. It is ABORTED after its cleanup.',
      query,
      answers: jobDocument,
      access: role('_job_write'),
      acting: 'allowed',
      async handle(call, { job }) {
        const row = await abort(call, job, call.query);
        const view = { data: true, keys: undefined, tasks: undefined };
        return jobDocumentOf(row, typeOf(row), view);
      },
    }),
  ];
}
