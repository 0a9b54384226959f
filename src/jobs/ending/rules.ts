import { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import type { Work } from '../../store/contract.ts';
import { changeJob, pairsOf, withResult } from '../running/rules.ts';
import { type JobRow, jobHeld } from '../running/store.ts';

const ended: ReadonlySet<string> = new Set(['FINISHED', 'FINISHED_WARNING', 'FAILED_TOTAL', 'ABORTED']);

/**
 * Ends a job before its time. From this commit on, the instance that has it changes nothing more. Work cleans up behind it, and
 * then it is ABORTED.
 */
export function abortJob(row: JobRow, reason: string | undefined): { readonly row: JobRow; readonly work: Work } {
  if (ended.has(row.status)) throw hasEnded(row);
  // It ends badly already.
  if (row.ending !== null) return { row, work: { changes: [], events: [] } };
  const result = {
    data: reason === undefined || reason === '' ? [] : ([['abortReason', reason.slice(0, 1000)]] as const),
  };
  const to: JobRow = {
    ...withResult(row, result),
    status: 'ABORTED_PENDING',
    ending: 'ABORTED',
    waiting: null,
    due: 0,
    instance: '',
    leaseUntil: 0,
    fence: row.fence + 1,
  };
  const { changes, events } = changeJob(row, to);
  const held = jobHeld(row, changedMeanwhile('Job', row.id));
  const touches = [{ kind: 'job', id: row.id, aspect: 'due' }];
  return { row: to, work: { changes: [held, ...changes, ...pairsOf(to, result)], events, touches } };
}

const hasEnded = ({ id, status }: JobRow): ServiceError =>
  new ServiceError('job-ended', { type: 'Job', id, explanation: `Expected a job that has not ended: ${status}` });

export const noSuchJob = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Job', id: id.slice(0, 80) });
