import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import { guard } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { job } from '../tables.ts';

const value = sql.placeholder;

/** The existing jobs among the given ids. `ids`: JSON. */
export const statesOfJobs = query((db) =>
  db
    .select({ id: job.id, user: job.user, status: job.status, finishedAt: job.finishedAt })
    .from(job)
    .where(sql`${job.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

type Ids = { readonly ids: string };

const ended = guard<Ids>(
  sql`NOT EXISTS (SELECT 1 FROM job WHERE id IN (SELECT value FROM json_each(${value('ids')})) AND finished_at IS NULL)`,
);
/** `refusal`: for a job that was run again meanwhile, which cannot be. */
export const allEnded = (ids: readonly string[], refusal: ServiceError) => ended({ ids: JSON.stringify(ids) }, refusal);

export const removeJobs = [
  statement<Ids>(sql`DELETE FROM ${writes('job_task')} WHERE job_id IN (SELECT value FROM json_each(${value('ids')}))`),
  statement<Ids>(
    sql`DELETE FROM ${writes('job_datum')} WHERE job_id IN (SELECT value FROM json_each(${value('ids')}))`,
  ),
  statement<Ids>(sql`DELETE FROM ${writes('job')} WHERE id IN (SELECT value FROM json_each(${value('ids')}))`),
];

const going = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')} AND finished_at IS NULL)`);
export const jobGoesOn = (id: string, refusal: ServiceError) => going({ id }, refusal);

/** The hands that have the job need not know. */
export const writePriority = statement<{ id: string; priority: number }>(
  sql`UPDATE ${writes('job')} SET priority = ${value('priority')} WHERE id = ${value('id')}`,
);

export const jobMustExist = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')})`);
