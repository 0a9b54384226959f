import type { JobState } from '../events/payloads.ts';
import type { Statement, Work } from '../store/contract.ts';
import { happened } from './events.ts';

/** The placeholder notification of a job and its data. The guards hold in the commit that starts the job. */
export interface JobNotification {
  readonly says: Pick<JobState, 'notification' | 'notificationData'>;
  readonly guards: readonly Statement[];
}

/**
 * Work that is a job and done at once: the job begins and ends in the commit of the work, so it has ended when the first
 * receiver is told of it. `job`: its state then.
 */
export function asJob(job: JobState, { changes, events }: Work, { says, guards }: JobNotification): Work {
  const { jobId } = job;
  const ended = { ...job, ...says };
  return {
    changes: [...guards, ...changes],
    events: [
      happened('job/create', jobId, { ...ended, status: 'READY' }),
      ...events,
      happened('job/update', jobId, ended),
      happened('job/stop', jobId, ended),
      happened('job/finished', jobId, ended),
    ],
  };
}
