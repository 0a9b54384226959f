import { eq, sql } from 'drizzle-orm';
import { after, type Maybe } from '../../lib/maybe.ts';
import { prepareLookup, prepareSqlStatement, type Reader } from '../../store/statement.ts';
import type { JobPriority } from '../job-type.ts';
import { jobConfiguration } from '../tables.ts';

/** Places for jobs of one band of priorities: of `threshold` and above, up to the next higher pool. */
export interface Pool {
  readonly threshold: JobPriority;
  readonly size: number;
}

export interface Pools {
  /** Jobs at a time, in all pools together. Undefined: as many as all pools have places, or as the setting says. */
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

/** What administrators set under a name. Undefined: nothing. */
export const configurationOf = <T>(reader: Reader, name: string): Maybe<T | undefined> =>
  after(find(reader, { name }), (row) => row && (JSON.parse(row.document) as T));

export const writeConfiguration = prepareSqlStatement<{ name: string; document: string }>(
  sql`INSERT INTO job_configuration (name, document) VALUES (${value('name')}, ${value('document')})
    ON CONFLICT (name) DO UPDATE SET document = excluded.document`,
);

export const removeConfiguration = prepareSqlStatement<{ name: string }>(
  sql`DELETE FROM job_configuration WHERE name = ${value('name')}`,
);

export const poolsName = 'job-pool';
export const poolsOf = (reader: Reader): Maybe<Pools> =>
  after(configurationOf<Pools>(reader, poolsName), (pools) => pools ?? noPools);
