import type { JobState, Pairs } from '../../core/events/payloads.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { serialOf } from '../../core/lib/serial.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { jobEvent } from './events.ts';
import { type JobOrder, type JobPriority, type JobStep, type JobType, jobPriorities } from './job-type.ts';
import { fewJobs, insertDatum, insertJob } from './store.ts';
import type { JobRow } from './tables.ts';

export const dataOf = ({ data }: Pick<JobRow, 'data'>): Pairs => JSON.parse(data) as Pairs;

/** The steps that a job takes when all goes well. */
export const mainSteps = ({ steps }: JobType): readonly JobStep[] => steps.filter(({ cleanup }) => cleanup !== true);

/** A job as its events tell it. */
export function stateOf(row: JobRow): JobState {
  const data = dataOf(row);
  const itemId = data.find(([key]) => key === 'itemId')?.[1];
  const { user, step, stepStatus, notification } = row;
  const notificationData = JSON.parse(row.notificationData) as Pairs;
  return {
    jobId: row.id,
    type: row.type,
    status: row.status,
    ...(user !== null && { user }),
    started: row.createdAt,
    totalSteps: row.totalSteps,
    ...(step !== null && { step, currentStepNumber: row.stepsBegun }),
    ...(stepStatus !== null && { currentStepStatus: stepStatus }),
    ...(itemId !== undefined && { itemId }),
    ...(data.length > 0 && {
      data: itemId === undefined ? data : data.filter(([key]) => key !== 'itemId' && key !== 'item'),
    }),
    ...(notification !== null && { notification }),
    ...(notificationData.length > 0 && { notificationData: notificationData }),
  };
}

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
  serial: serialOf(jobId),
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
 * `max`: jobs of one user that have not ended.
 */
export function startedJob(order: JobOrder, type: JobType | undefined, now: number, max: number): CommitPlan {
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
  const bounded = order.isRequested === true && user !== undefined ? [fewJobs(user, max, tooMany(max))] : [];
  return { changes: [...bounded, ...inserted(row, data)], events: [jobEvent('job/create', jobId, stateOf(row))] };
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

const tooMany = (max: number): ServiceError =>
  new ServiceError('too-many-jobs', {
    context: 'user',
    explanation: `Expected at most ${max} jobs of one user that have not ended: wait until some of them have`,
  });
