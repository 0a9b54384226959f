import { sql } from 'drizzle-orm';
import { query, statement, writes } from '../../store/statement.ts';
import { importUpload } from '../tables.ts';

const value = sql.placeholder;

/** The job that took an uploaded file, as its client was answered. */
export const uploadOf = query((db) =>
  db
    .select()
    .from(importUpload)
    .where(sql`${importUpload.fileId} = ${value('fileId')}`),
).first;

export const insertUpload = statement<{ fileId: string; jobId: string; document: string }>(
  sql`INSERT INTO ${writes('import_upload')} (file_id, job_id, document)
    VALUES (${value('fileId')}, ${value('jobId')}, ${value('document')})`,
);
