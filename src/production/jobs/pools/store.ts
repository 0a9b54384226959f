import { sql } from 'drizzle-orm';
import { deleteBy, putInto, rowBy } from '../../../core/store/rows.ts';
import { query, type Reader, value } from '../../../core/store/statement.ts';
import type { JobPriority } from '../../../room/jobs/job-type.ts';
import { job, jobConfiguration } from '../../../room/jobs/tables.ts';

/** Running jobs of all instances: those with a lease that has not expired. */
export const runningFacts = query((db) =>
  db
    .select({ type: job.type, priority: job.priority, user: job.user, data: job.data })
    .from(job)
    .where(sql`${job.leaseUntil} > 0 AND ${job.leaseUntil} > ${value('now')}`),
);

/** Places for jobs of one band of priorities: of `threshold` and above, up to the next higher pool. */
export interface Pool {
  readonly threshold: JobPriority;
  readonly size: number;
}

export interface Pools {
  /** Limit of concurrent jobs in all pools. Undefined: the places of all pools, or the setting. */
  readonly concurrentJobs?: number | undefined;
  readonly pool: readonly Pool[];
}

export const noPools: Pools = { pool: [] };

const find = rowBy(jobConfiguration, 'name', 'document');

/** Configuration document with this name. Undefined: not set. */
export async function jobConfigurationOf<T>(reader: Reader, name: string): Promise<T | undefined> {
  const row = await find(reader, { name });
  return row && (JSON.parse(row.document) as T);
}

export const writeConfiguration = putInto(jobConfiguration, 'name');

export const removeConfiguration = deleteBy(jobConfiguration, 'name');

export const poolsName = 'job-pool';
export const poolsOf = async (reader: Reader): Promise<Pools> =>
  (await jobConfigurationOf<Pools>(reader, poolsName)) ?? noPools;
