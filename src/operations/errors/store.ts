import { sql } from 'drizzle-orm';
import { job, jobTask } from '../../jobs/tables.ts';
import { query } from '../../store/statement.ts';

const value = sql.placeholder;

/** Jobs that failed and methods of storages that could not be reached last, the newest first. */
export const errorPage = query(
  sql`WITH found (at, serial, description, type, entity) AS (
      SELECT * FROM (
        SELECT finished_at, serial, COALESCE(
            (SELECT error FROM job_task WHERE job_id = job.id AND error IS NOT NULL ORDER BY step DESC, attempt DESC LIMIT 1),
            type || ' failed'), 'JOB', id
          FROM job WHERE status = 'FAILED_TOTAL' ORDER BY serial DESC LIMIT ${value('limit')} + ${value('offset')})
      UNION ALL
      SELECT last_failure, 0, failure_message, 'STORAGE', storage_id FROM storage_method
        WHERE last_failure IS NOT NULL AND failure_message IS NOT NULL
          AND last_failure > COALESCE(last_success, 0))
    SELECT at, serial, description, type, entity FROM found ORDER BY at DESC, serial DESC
      LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  {
    timestamp: job.createdAt,
    serial: job.serial,
    description: jobTask.description,
    type: job.type,
    entityId: job.id,
  },
);
