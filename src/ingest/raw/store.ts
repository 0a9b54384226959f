import { sql } from 'drizzle-orm';
import { prepareLookup, prepareStatement } from '../../store/statement.ts';
import { importUpload } from '../tables.ts';

const value = sql.placeholder;

/** The job that took an uploaded file, as its client was answered. */
export const uploadOf = prepareLookup((db) =>
  db
    .select()
    .from(importUpload)
    .where(sql`${importUpload.fileId} = ${value('fileId')}`),
);

export const insertUpload = prepareStatement<{ fileId: string; jobId: string; document: string }>(
  sql`INSERT INTO import_upload (file_id, job_id, document)
    VALUES (${value('fileId')}, ${value('jobId')}, ${value('document')})`,
);
