import type { Work } from '../../store/contract.ts';
import type { WaitingFor } from '../job-type.ts';
import { wakeJob, wakeWaiting } from './store.ts';

/** Jobs look at once whether what they wait for is there. */
export function wakeJobs(waiting: WaitingFor): Work {
  const isOne = 'jobId' in waiting;
  return {
    changes: [isOne ? wakeJob({ id: waiting.jobId }) : wakeWaiting({ ...waiting })],
    events: [],
    touches: [{ kind: 'job', id: isOne ? waiting.jobId : '', aspect: 'due' }],
  };
}
