import type { Pairs } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { storable } from '../../../core/lib/storable.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import { insertDatum } from '../../../room/jobs/store.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { changeJob, endEvents, endedRow, leaving, pairsOf, withResult } from '../running/rules.ts';
import { jobHeld } from '../running/store.ts';
import { allEnded, jobGoesOn, removeJobs, writePriority } from '../store.ts';

export interface Abort {
  readonly reason: string | undefined;
  /** Whether its steps that clean up run. */
  readonly cleanup: boolean;
}

const reasonOf = (reason: string | undefined): Pairs =>
  reason === undefined || reason === '' ? [] : [['abortReason', storable(reason, 1000)]];

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

const hasEnded = ({ id, status }: Pick<JobRow, 'id' | 'status'>): ServiceError =>
  new ServiceError('job-ended', { type: 'Job', id, explanation: `Expected a job that has not ended: ${status}` });

export const noSuchJob = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Job', id: id.slice(0, 80) });

const touched = (id: string): CommitPlan => ({
  changes: [],
  events: [],
  touches: [{ kind: 'job', id, aspect: 'due' }],
});

export const wrongState = (id: string, explanation: string): ServiceError =>
  new ServiceError('job-state', { type: 'Job', id, explanation });

export function setJobPriority({ id, status, finishedAt }: JobRow, priority: JobPriority): CommitPlan {
  if (finishedAt !== null) throw hasEnded({ id, status });
  const place = jobPriorities.indexOf(priority);
  const changes = [jobGoesOn(id, hasEnded({ id, status: 'ended' })), writePriority({ id, priority: place })];
  return together({ changes, events: [] }, touched(id));
}

/** A job on HOLD begins when there is a place for it. */
export function release(row: JobRow): CommitPlan {
  if (row.status !== 'HOLD') throw wrongState(row.id, `Expected a job on HOLD: ${row.status}`);
  const leaseGuard = jobHeld(row, changedMeanwhile('Job', row.id));
  const { changes, events } = changeJob(row, { ...row, status: 'READY', due: 0, fence: row.fence + 1 });
  return together({ changes: [leaseGuard, ...changes], events }, touched(row.id));
}

/** Deletes the rows of ended jobs. Files and items stay. */
export function deleteJobs(rows: readonly Pick<JobRow, 'id' | 'status' | 'finishedAt'>[]): CommitPlan {
  const going = rows.find(({ finishedAt }) => finishedAt === null);
  if (going) throw wrongState(going.id, `Expected only jobs that have ended: ${going.id} is ${going.status}`);
  const ids = rows.map(({ id }) => id);
  const list = { ids };
  return changing(
    allEnded(ids, changedMeanwhile('Job', ids[0] ?? '')),
    ...removeJobs.map((statement) => statement(list)),
    ...ids.flatMap((id) => forgetEntity('job', id)),
  );
}
