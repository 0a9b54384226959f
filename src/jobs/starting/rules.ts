import type { JobState } from '../../events/payloads.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { happened } from '../events.ts';
import { type JobOrder, type JobType, jobPriorities } from '../job-type.ts';
import { mainSteps, stateOf } from '../running/rules.ts';
import { fewJobs, insertDatum, insertJob, type JobRow } from '../running/store.ts';

/**
 * A job as work for the commit that starts it: it begins when that commit is made. `type`: undefined for a custom one.
 * `most`: jobs of one user that have not ended.
 */
export function startJob(order: JobOrder, type: JobType | undefined, now: number, most: number): CommitPlan {
  const { jobId, user = null, priority, data, memo, actor, says } = order;
  const row: JobRow = {
    id: jobId,
    serial: serialOf(jobId),
    type: order.type,
    status: order.isHeld === true ? 'HOLD' : 'READY',
    priority: jobPriorities.indexOf(priority),
    user,
    data: JSON.stringify(data),
    memo: JSON.stringify(memo),
    createdAt: now,
    finishedAt: null,
    totalSteps: type === undefined ? 0 : mainSteps(type).length,
    step: null,
    stepStatus: null,
    stepsBegun: 0,
    attempt: 0,
    failures: 0,
    waiting: null,
    ending: null,
    due: order.isHeld === true ? null : 0,
    instance: '',
    leaseUntil: 0,
    fence: 0,
    actor: JSON.stringify(actor),
    notification: says.notification ?? null,
    notificationData: JSON.stringify(says.notificationData ?? []),
    ordered: JSON.stringify({ data, memo }),
    isCustom: type === undefined ? 1 : 0,
    tasks: '[]',
  };
  const bounded = order.isAsked === true && user !== null ? [fewJobs(user, most, tooMany(most))] : [];
  return {
    changes: [...bounded, insertJob(row), ...data.map((pair) => insertDatum(jobId, pair))],
    events: [happened('job/create', jobId, stateOf(row))],
  };
}

/** The row of a job that ends in the commit of its request. Its events are those of `asJob`. */
export function recordJob(state: JobState, priority: number, now: number): CommitPlan {
  const { jobId, type, status, user = null, started = now, data = [] } = state;
  const row: JobRow = {
    id: jobId,
    serial: serialOf(jobId),
    type,
    status,
    priority,
    user,
    data: JSON.stringify(data),
    memo: '{}',
    createdAt: started,
    finishedAt: now,
    totalSteps: 0,
    step: null,
    stepStatus: null,
    stepsBegun: 0,
    attempt: 0,
    failures: 0,
    waiting: null,
    ending: null,
    due: null,
    instance: '',
    leaseUntil: 0,
    fence: 0,
    actor: '{}',
    notification: state.notification ?? null,
    notificationData: JSON.stringify(state.notificationData ?? []),
    ordered: '{}',
    isCustom: 0,
    tasks: '[]',
  };
  return { changes: [insertJob(row), ...data.map((pair) => insertDatum(jobId, pair))], events: [] };
}

const serialOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

const tooMany = (most: number): ServiceError =>
  new ServiceError('too-many-jobs', {
    context: 'user',
    explanation: `Expected at most ${most} jobs of one user that have not ended: wait until some of them have`,
  });
