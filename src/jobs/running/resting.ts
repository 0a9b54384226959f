import type { Actor } from '../../store/contract.ts';
import type { LeasedJob } from '../job-type.ts';
import type { JobDescription } from '../memo.ts';
import { dataOf } from '../state.ts';
import type { JobRow } from '../tables.ts';
import { jobLost, memoOf } from './rules.ts';
import { jobHeld } from './store.ts';

/** A job that no instance runs, for the clean-up of its type when a request ends it. Throws `MemoMismatch`. */
export const restingJob = (type: JobDescription, row: JobRow): LeasedJob<never> => ({
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
