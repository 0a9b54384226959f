import { sql } from 'drizzle-orm';
import { prepareSqlQuery, prepareSqlStatement } from '../../store/statement.ts';
import { job } from '../tables.ts';

const value = sql.placeholder;

/** Jobs that ended before a time, among the oldest: no index has the end, and to look at all of them takes long. */
export const endedBefore = prepareSqlQuery(
  sql`SELECT id FROM (SELECT id, serial, finished_at FROM job ORDER BY serial LIMIT 2000)
    WHERE finished_at < ${value('before')} ORDER BY serial LIMIT ${value('limit')}`,
  { id: job.id },
);

/** With all that is kept of them. */
const removals = [
  sql`DELETE FROM external_id WHERE entity_type = 'job' AND entity_id IN (SELECT value FROM json_each(${value('ids')}))`,
  sql`DELETE FROM job_datum WHERE job_id IN (SELECT value FROM json_each(${value('ids')}))`,
  sql`DELETE FROM job_task WHERE job_id IN (SELECT value FROM json_each(${value('ids')}))`,
  sql`DELETE FROM job WHERE id IN (SELECT value FROM json_each(${value('ids')})) AND finished_at IS NOT NULL`,
].map((statement) => prepareSqlStatement<{ ids: string }>(statement));

export const removeJobs = (ids: readonly string[]) =>
  removals.map((statement) => statement({ ids: JSON.stringify(ids) }));
