import type { Actor } from '../../store/contract.ts';
import type { HeldJob } from '../job-type.ts';
import { dataOf, jobLost, memoOf } from './rules.ts';
import { type JobRow, jobHeld } from './store.ts';

/** A job that no hand has, for what its type has to say when a request ends it. */
export const restingJob = (row: JobRow): HeldJob => ({
  id: row.id,
  type: row.type,
  user: row.user ?? undefined,
  actor: JSON.parse(row.actor) as Actor,
  data: dataOf(row),
  memo: memoOf(row),
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
