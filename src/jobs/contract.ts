import type { JobState, Pairs } from '../events/payloads.ts';
import { type Call, caller } from '../http/call.ts';
import { badParameter } from '../http/parameters/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Statement, Work } from '../store/contract.ts';
import type { Store } from '../store/store.ts';
import type { Job } from './documents.ts';
import { happened } from './events.ts';
import type { JobQuery } from './parameters.ts';

/** The placeholder notification of a job and its data. The guards hold in the commit that starts the job. */
export interface JobNotification {
  readonly says: Pick<JobState, 'notification' | 'notificationData'>;
  readonly guards: readonly Statement[];
}

/**
 * Makes work a job that is done at once. The job begins and ends in the commit of the work, so it has ended when its
 * first receiver hears of it. `job`: its state then.
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

export interface JobParts {
  readonly store: Pick<Store, 'nextId'>;
  readonly clock: Pick<Clock, 'now'>;
  /** What a caller says about notifications of the job. Throws the refusal of what cannot be. */
  jobNotification(query: JobQuery): Promise<JobNotification>;
}

/** A job that a request starts, for the commit of any room. */
export interface NewJob {
  /** The work as a job that begins and ends in its commit. Asked again when the commit has to be tried again. */
  around(work: Work): Promise<Work>;
  /** The job as it is answered, once it has ended. */
  document(): Job;
}

/** Reads what the caller says about the job: `priority`, `jobmetadata`, notifications. */
export async function newJob(
  { store, clock, jobNotification }: JobParts,
  call: Call<JobQuery>,
  type: string,
): Promise<NewJob> {
  const { priority, jobmetadata } = call.query;
  const data = jobmetadata.map(pairOf);
  const job: JobState = {
    jobId: await store.nextId('job'),
    type,
    status: 'FINISHED',
    user: caller(call).name,
    started: clock.now(),
    ...(data.length > 0 ? { data } : {}),
  };
  return {
    around: async (work) => asJob(job, work, await jobNotification(call.query)),
    document: () => ({
      jobId: job.jobId,
      user: job.user,
      started: job.started,
      finished: clock.now(),
      status: job.status,
      type,
      priority: priority.toUpperCase(),
      data: job.data?.map(([key, value]) => ({ key, value })),
    }),
  };
}

function pairOf(text: string): Pairs[number] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw badParameter('jobmetadata', 'Expected key=value, percent-encoded', text);
}
