import {
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import { checkPools } from './rules.ts';
import type { Pools } from './store.ts';

export const jobPoolListDocument = document('JobPoolListDocument', {
  concurrentJobs: element(integer).says('Maximum number of concurrent jobs of each instance, in all pools together.'),
  pool: list(
    structure('JobPoolType', {
      priorityThreshold: element(oneOf(...jobPriorities)).required.says('Jobs of this priority and above.'),
      size: element(integer).required,
    }),
  ).max(10),
});
type JobPoolList = Value<typeof jobPoolListDocument>;

export const poolsFrom = ({ concurrentJobs, pool = [] }: JobPoolList): Pools =>
  checkPools({
    ...(concurrentJobs !== undefined && { concurrentJobs }),
    pool: pool.map(({ priorityThreshold, size }) => ({ threshold: priorityThreshold, size })),
  });

/** `defaultValue`: value of the setting. */
export const poolList = ({ concurrentJobs, pool }: Pools, defaultValue: number): JobPoolList => ({
  concurrentJobs: concurrentJobs ?? (pool.length === 0 ? defaultValue : pool.reduce((sum, { size }) => sum + size, 0)),
  pool: pool.map(({ threshold, size }) => ({ priorityThreshold: threshold, size })),
});

export const jobPriorityDocument = document('JobPriorityConfigurationDocument', {
  job: list(
    structure('JobPriorityType', {
      type: element(string).required.says('The type of the jobs.'),
      value: element(oneOf(...jobPriorities)).required,
    }),
  ).max(1000),
});
