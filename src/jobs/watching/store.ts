import { sql } from 'drizzle-orm';
import { query } from '../../store/statement.ts';
import { job } from '../tables.ts';

const value = sql.placeholder;

/** Jobs that have not ended, with the attempt that runs. The oldest first. */
export const goingJobs = query((db) =>
  db
    .select({
      id: sql<string>`job.id`,
      type: sql<string>`job.type`,
      status: sql<string>`job.status`,
      step: sql<number | null>`job.step`,
      waiting: sql<string | null>`job.waiting`,
      description: sql<string | null>`task.description`,
      progress: sql<number | null>`task.progress`,
      total: sql<number | null>`task.progress_total`,
      unit: sql<string | null>`task.unit`,
    })
    .from(
      sql`${job} LEFT JOIN job_task AS task
        ON task.job_id = job.id AND task.step = job.step AND task.attempt = job.attempt`,
    )
    .where(sql`job.status IN ('READY', 'STARTED', 'WAITING', 'HOLD', 'ABORTED_PENDING')`)
    .orderBy(sql`job.serial`)
    .limit(value('limit')),
);

export type GoingJob = Awaited<ReturnType<typeof goingJobs>>[number];
