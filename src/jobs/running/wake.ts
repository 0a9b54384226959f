import type { CommitPlan } from '../../store/contract.ts';
import type { WaitingFor } from '../job-type.ts';
import { wakeJob, wakeWaiting } from './store.ts';

/** Makes waiting jobs check their resource at once. */
export function wakeJobs(waiting: WaitingFor): CommitPlan {
  const isOne = 'jobId' in waiting;
  return {
    changes: [isOne ? wakeJob({ id: waiting.jobId }) : wakeWaiting({ ...waiting })],
    events: [],
    touches: [{ kind: 'job', id: isOne ? waiting.jobId : '', aspect: 'due' }],
  };
}
