import type { Pairs } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { insertDatum } from '../../../room/jobs/starting/store.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { changeJob, endEvents, endedRow, leaving, pairsOf, withResult } from '../running/rules.ts';
import { jobHeld } from '../running/store.ts';

export interface Abort {
  readonly reason: string | undefined;
  /** Whether its steps that clean up run. */
  readonly cleanup: boolean;
}

const reasonOf = (reason: string | undefined): Pairs =>
  reason === undefined || reason === '' ? [] : [['abortReason', reason.slice(0, 1000)]];

const ended: ReadonlySet<string> = new Set(['FINISHED', 'FINISHED_WARNING', 'FAILED_TOTAL', 'ABORTED']);

/**
 * Ends a job before its time. From this commit on, the instance that has it changes nothing more. Work cleans up behind it, and
 * then it is ABORTED.
 */
export function abortJob(row: JobRow, { reason, cleanup }: Abort): { readonly row: JobRow; readonly work: CommitPlan } {
  if (ended.has(row.status)) throw hasEnded(row);
  // The job is failing already.
  if (row.ending !== null) return { row, work: changing() };
  const result = { data: reasonOf(reason) };
  const to: JobRow = {
    ...withResult(cleanup ? row : leaving(row), result),
    status: 'ABORTED_PENDING',
    ending: 'ABORTED',
    waiting: null,
    due: 0,
    instance: '',
    leaseUntil: 0,
    fence: row.fence + 1,
  };
  const { changes, events } = changeJob(row, to);
  const leaseGuard = jobHeld(row, changedMeanwhile('Job', row.id));
  const touches = [{ kind: 'job', id: row.id, aspect: 'due' }];
  return { row: to, work: { changes: [leaseGuard, ...changes, ...pairsOf(to, result)], events, touches } };
}

/** Whether an aborted job ends in the commit of the request: it has not begun, and needs no clean-up. */
export function endsAtOnce({ step, ending, finishedAt, leaseUntil }: JobRow, cleanup: boolean): boolean {
  return !cleanup && step === null && ending === null && finishedAt === null && leaseUntil === 0;
}

/** `last`: what its type ends it with. */
export function abortAtOnce(row: JobRow, reason: string | undefined, last: CommitPlan, now: number) {
  const pending = abortJob(row, { reason, cleanup: false });
  const to = endedRow(pending.row, 'ABORTED', now);
  const { changes, events } = changeJob(row, to);
  const leaseGuard = jobHeld(row, changedMeanwhile('Job', row.id));
  const pairs = reasonOf(reason).map((pair) => insertDatum(row.id, pair));
  const work = together({ changes: [leaseGuard, ...changes, ...pairs], events: [...events, ...endEvents(to)] }, last);
  return { row: to, work };
}

export const hasEnded = ({ id, status }: Pick<JobRow, 'id' | 'status'>): ServiceError =>
  new ServiceError('job-ended', { type: 'Job', id, explanation: `Expected a job that has not ended: ${status}` });

export const noSuchJob = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Job', id: id.slice(0, 80) });
