import { sql } from 'drizzle-orm';
import { query } from '../../../store/statement.ts';
import { fileJob } from '../../tables.ts';

const value = sql.placeholder;

const otherJob = query((db) =>
  db
    .select({ jobId: fileJob.jobId })
    .from(fileJob)
    .where(
      sql`${fileJob.fileId} = ${value('fileId')} AND ${fileJob.jobId} <> ${value('jobId')} AND ${fileJob.restUntil} IS NULL`,
    )
    .limit(1),
).first;

/** Whether a job that has not ended needs the file, beside this one. */
export const isInOtherJobs = async (...given: Parameters<typeof otherJob>): Promise<boolean> =>
  (await otherJob(...given)) !== undefined;
