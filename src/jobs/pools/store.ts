import { eq, sql } from 'drizzle-orm';
import { prepareLookup, prepareStatement, type Reader } from '../../store/statement.ts';
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

const noPools: Pools = { pool: [] };

const value = sql.placeholder;

const find = prepareLookup((db) =>
  db
    .select({ document: jobConfiguration.document })
    .from(jobConfiguration)
    .where(eq(jobConfiguration.name, value('name'))),
);

/** Configuration document with this name. Undefined: not set. */
export async function jobConfigurationOf<T>(reader: Reader, name: string): Promise<T | undefined> {
  const row = await find(reader, { name });
  return row && (JSON.parse(row.document) as T);
}

export const writeConfiguration = prepareStatement<{ name: string; document: string }>(
  sql`INSERT INTO job_configuration (name, document) VALUES (${value('name')}, ${value('document')})
    ON CONFLICT (name) DO UPDATE SET document = excluded.document`,
);

export const removeConfiguration = prepareStatement<{ name: string }>(
  sql`DELETE FROM job_configuration WHERE name = ${value('name')}`,
);

export const poolsName = 'job-pool';
export const poolsOf = async (reader: Reader): Promise<Pools> =>
  (await jobConfigurationOf<Pools>(reader, poolsName)) ?? noPools;
