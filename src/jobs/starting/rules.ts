import type { Work } from '../../store/contract.ts';
import { happened } from '../events.ts';
import { type JobOrder, type JobType, jobPriorities } from '../job-type.ts';
import { stateOf } from '../running/rules.ts';
import { insertDatum, insertJob, type JobRow } from '../running/store.ts';

/** A job as work for the commit that starts it: it begins when that commit is made. */
export function startJob(order: JobOrder, { steps }: JobType, now: number): Work {
  const { jobId, type, user = null, priority, data, memo, actor, says } = order;
  const row: JobRow = {
    id: jobId,
    serial: Number(jobId.slice(jobId.lastIndexOf('-') + 1)),
    type,
    status: 'READY',
    priority: jobPriorities.indexOf(priority),
    user,
    data: JSON.stringify(data),
    memo: JSON.stringify(memo),
    createdAt: now,
    finishedAt: null,
    totalSteps: steps.length,
    step: null,
    stepStatus: null,
    stepsBegun: 0,
    attempt: 0,
    failures: 0,
    waiting: null,
    ending: null,
    due: 0,
    instance: '',
    leaseUntil: 0,
    fence: 0,
    actor: JSON.stringify(actor),
    notification: says.notification ?? null,
    notificationData: JSON.stringify(says.notificationData ?? []),
  };
  return {
    changes: [insertJob(row), ...data.map((pair) => insertDatum(jobId, pair))],
    events: [happened('job/create', jobId, stateOf(row))],
  };
}
