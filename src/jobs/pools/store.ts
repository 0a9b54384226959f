import { eq, sql } from 'drizzle-orm';
import { query, type Reader, statement, writes } from '../../store/statement.ts';
import type { JobPriority } from '../job-type.ts';
import { jobConfiguration } from '../tables.ts';

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

const value = sql.placeholder;

const find = query((db) =>
  db
    .select({ document: jobConfiguration.document })
    .from(jobConfiguration)
    .where(eq(jobConfiguration.name, value('name'))),
).first;

/** Configuration document with this name. Undefined: not set. */
export async function jobConfigurationOf<T>(reader: Reader, name: string): Promise<T | undefined> {
  const row = await find(reader, { name });
  return row && (JSON.parse(row.document) as T);
}

export const writeConfiguration = statement<{ name: string; document: string }>(
  sql`INSERT INTO ${writes('job_configuration')} (name, document) VALUES (${value('name')}, ${value('document')})
    ON CONFLICT (name) DO UPDATE SET document = excluded.document`,
);

export const removeConfiguration = statement<{ name: string }>(
  sql`DELETE FROM ${writes('job_configuration')} WHERE name = ${value('name')}`,
);

export const poolsName = 'job-pool';
export const poolsOf = async (reader: Reader): Promise<Pools> =>
  (await jobConfigurationOf<Pools>(reader, poolsName)) ?? noPools;
