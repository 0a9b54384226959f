import { sql } from 'drizzle-orm';
import { prepareQuery, prepareStatement } from '../../store/statement.ts';
import { autoImportDue } from '../tables.ts';

const value = sql.placeholder;

/** Files without a decision yet, the longest waiting first. */
export const filesToImport = prepareQuery((db) =>
  db
    .select()
    .from(autoImportDue)
    .where(sql`${autoImportDue.due} <= ${value('now')}`)
    .orderBy(autoImportDue.due)
    .limit(value('limit')),
);

export const filesDue = sql`SELECT min(due) FROM auto_import_due`;

export const countDueFiles = prepareQuery(sql`SELECT count(*) FROM auto_import_due`, { count: sql<number>`` });

export const forgetDueFile = prepareStatement<{ fileId: string }>(
  sql`DELETE FROM auto_import_due WHERE file_id = ${value('fileId')}`,
);

export const putOffFile = prepareStatement<{ fileId: string; due: number }>(
  sql`UPDATE auto_import_due SET due = ${value('due')} WHERE file_id = ${value('fileId')}`,
);

/** Jobs that have not ended and name the file, and the import that has claimed it. */
export const jobsWithFile = prepareQuery(
  sql`SELECT job_id FROM file_job WHERE file_id = ${value('fileId')} AND rest_until IS NULL
    UNION SELECT job_id FROM import_claim WHERE type = 'file' AND id = ${value('fileId')}`,
  { jobId: sql<string>`` },
);
