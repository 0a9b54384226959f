import { sql } from 'drizzle-orm';
import { query, value } from '../../../core/store/statement.ts';

/** State of a job, with the attempt of its running step. */
export const jobSeen = query(
  sql`SELECT job.status, job.waiting, task.description, task.error, task.progress, task.progress_total
    FROM job LEFT JOIN job_task AS task
      ON task.job_id = job.id AND task.step = job.step AND task.attempt = job.attempt
    WHERE job.id = ${value('id')}`,
  {
    status: sql<string>``,
    waiting: sql<string | null>``,
    description: sql<string | null>``,
    error: sql<string | null>``,
    progress: sql<number | null>``,
    total: sql<number | null>``,
  },
);

/** Log of the steps of a job so far: a JSON list of times and texts for each attempt, and what it warns of. */
export const jobSaid = query(
  sql`SELECT said, CASE WHEN status = 'FINISHED' THEN error END FROM job_task
    WHERE job_id = ${value('id')} ORDER BY step, attempt`,
  { said: sql<string>``, warning: sql<string | null>`` },
);

export type JobSeen = Awaited<ReturnType<typeof jobSeen>>[number];
