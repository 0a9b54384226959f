import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import { prepareGuard } from '../../store/guard.ts';
import { prepareQuery, prepareStatement } from '../../store/statement.ts';
import { job } from '../tables.ts';

const value = sql.placeholder;

/** The existing jobs among the given ids. `ids`: JSON. */
export const statesOfJobs = prepareQuery((db) =>
  db
    .select({ id: job.id, user: job.user, status: job.status, finishedAt: job.finishedAt })
    .from(job)
    .where(sql`${job.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

type Ids = { readonly ids: string };

const ended = prepareGuard<Ids>(
  sql`NOT EXISTS (SELECT 1 FROM job WHERE id IN (SELECT value FROM json_each(${value('ids')})) AND finished_at IS NULL)`,
);
/** `refusal`: for a job that was run again meanwhile, which cannot be. */
export const allEnded = (ids: readonly string[], refusal: ServiceError) => ended({ ids: JSON.stringify(ids) }, refusal);

export const removeJobs = [
  prepareStatement<Ids>(sql`DELETE FROM job_task WHERE job_id IN (SELECT value FROM json_each(${value('ids')}))`),
  prepareStatement<Ids>(sql`DELETE FROM job_datum WHERE job_id IN (SELECT value FROM json_each(${value('ids')}))`),
  prepareStatement<Ids>(sql`DELETE FROM job WHERE id IN (SELECT value FROM json_each(${value('ids')}))`),
];

const going = prepareGuard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')} AND finished_at IS NULL)`,
);
export const jobGoesOn = (id: string, refusal: ServiceError) => going({ id }, refusal);

/** The hands that have the job need not know. */
export const writePriority = prepareStatement<{ id: string; priority: number }>(
  sql`UPDATE job SET priority = ${value('priority')} WHERE id = ${value('id')}`,
);

export const jobMustExist = prepareGuard<{ id: string }>(sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')})`);
