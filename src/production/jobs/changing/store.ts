import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { rowsAmong, updateBy } from '../../../core/store/rows.ts';
import { statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { job } from '../../../room/jobs/tables.ts';

/** The existing jobs among the given ids. `ids`: JSON. */
export const statesOfJobs = rowsAmong(job, 'id', 'ids', 'id', 'user', 'status', 'finishedAt');

type Ids = { readonly ids: readonly string[] };

const ended = guard<Ids>(sql`NOT EXISTS (SELECT 1 FROM job WHERE id IN ${valuesOf('ids')} AND finished_at IS NULL)`);
/** `refusal`: for a job that was run again meanwhile, which cannot be. */
export const allEnded = (ids: readonly string[], refusal: ServiceError) => ended({ ids }, refusal);

export const removeJobs = [
  statement<Ids>(sql`DELETE FROM ${writes('job_task')} WHERE job_id IN ${valuesOf('ids')}`),
  statement<Ids>(sql`DELETE FROM ${writes('job_datum')} WHERE job_id IN ${valuesOf('ids')}`),
  statement<Ids>(sql`DELETE FROM ${writes('job')} WHERE id IN ${valuesOf('ids')}`),
];

const going = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM job WHERE id = ${value('id')} AND finished_at IS NULL)`);
export const jobGoesOn = (id: string, refusal: ServiceError) => going({ id }, refusal);

/** The hands that have the job need not know. */
export const writePriority = updateBy(job, 'id', 'priority');

export const jobMustExist = rowExists(job, 'id');
