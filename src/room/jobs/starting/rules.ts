import type { JobState } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { happened } from '../events.ts';
import { type JobOrder, type JobPriority, type JobType, jobPriorities } from '../job-type.ts';
import { mainSteps, stateOf } from '../state.ts';
import type { JobRow } from '../tables.ts';
import { fewJobs, insertDatum, insertJob } from './store.ts';

/** Columns of a job that nobody has begun. */
const fresh = {
  totalSteps: 0,
  step: null,
  stepStatus: null,
  stepsBegun: 0,
  attempt: 0,
  failures: 0,
  waiting: null,
  ending: null,
  instance: '',
  leaseUntil: 0,
  fence: 0,
  isCustom: 0,
  tasks: '[]',
} as const;

/** Columns that follow from the state of a job. */
const columnsOf = ({
  jobId,
  type,
  user,
  data = [],
  notification,
  notificationData = [],
}: Pick<JobOrder, 'jobId' | 'type'> & Partial<Pick<JobOrder, 'user' | 'data'>> & JobOrder['says']) => ({
  id: jobId,
  serial: Number(jobId.slice(jobId.lastIndexOf('-') + 1)),
  type,
  user: user ?? null,
  data: JSON.stringify(data),
  notification: notification ?? null,
  notificationData: JSON.stringify(notificationData),
});

/** Inserts a job with the index of its data. */
const inserted = (row: JobRow, data: JobOrder['data']): CommitPlan['changes'] => [
  insertJob(row),
  ...data.map((pair) => insertDatum(row.id, pair)),
];

/**
 * A job as work for the commit that starts it: it begins when that commit is made. `type`: undefined for a custom one.
 * `most`: jobs of one user that have not ended.
 */
export function startedJob(order: JobOrder, type: JobType | undefined, now: number, most: number): CommitPlan {
  const { jobId, user, data, memo, says, isHeld = false } = order;
  const status = isHeld ? 'HOLD' : 'READY';
  const row: JobRow = {
    ...fresh,
    ...columnsOf({ jobId, type: order.type, user, data, ...says }),
    status,
    priority: jobPriorities.indexOf(order.priority),
    memo: JSON.stringify(memo),
    createdAt: now,
    finishedAt: null,
    totalSteps: type === undefined ? 0 : mainSteps(type).length,
    due: isHeld ? null : 0,
    actor: JSON.stringify(order.actor),
    ordered: JSON.stringify({ data, memo }),
    isCustom: type === undefined ? 1 : 0,
  };
  const bounded = order.isRequested === true && user !== undefined ? [fewJobs(user, most, tooMany(most))] : [];
  return { changes: [...bounded, ...inserted(row, data)], events: [happened('job/create', jobId, stateOf(row))] };
}

/** The row of a job that ends in the commit of its request. Its events are those of `asJob`. */
export function recordJob(state: JobState, priority: JobPriority, now: number): CommitPlan {
  const row: JobRow = {
    ...fresh,
    ...columnsOf(state),
    status: state.status,
    priority: jobPriorities.indexOf(priority),
    memo: '{}',
    createdAt: state.started ?? now,
    finishedAt: now,
    due: null,
    actor: '{}',
    ordered: '{}',
  };
  return { changes: inserted(row, state.data ?? []), events: [] };
}

const tooMany = (most: number): ServiceError =>
  new ServiceError('too-many-jobs', {
    context: 'user',
    explanation: `Expected at most ${most} jobs of one user that have not ended: wait until some of them have`,
  });
