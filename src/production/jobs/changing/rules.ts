import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import { type JobPriority, jobPriorities } from '../../../room/jobs/job-type.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { hasEnded } from '../ending/rules.ts';
import { changeJob } from '../running/rules.ts';
import { jobHeld } from '../running/store.ts';
import { allEnded, jobGoesOn, removeJobs, writePriority } from './store.ts';

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
