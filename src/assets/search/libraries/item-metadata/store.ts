import { sql } from 'drizzle-orm';
import { deleteBy, rowBy } from '../../../../core/store/rows.ts';
import { statement, value, writes } from '../../../../core/store/statement.ts';
import { libraryJob } from './tables.ts';

export const insertMetadataJob = statement<{ jobId: string; libraryId: string; document: string }>(
  sql`INSERT INTO ${writes('library_job')} (job_id, library_id, document, item_serial, item_id, written, skipped)
    VALUES (${value('jobId')}, ${value('libraryId')}, ${value('document')}, -1, '', 0, 0)`,
);

export const findMetadataJob = rowBy(libraryJob, 'jobId');

export const moveJob = statement<{
  jobId: string;
  itemSerial: number;
  itemId: string;
  written: number;
  skipped: number;
}>(
  sql`UPDATE ${writes('library_job')} SET item_serial = ${value('itemSerial')}, item_id = ${value('itemId')},
      written = written + ${value('written')}, skipped = skipped + ${value('skipped')}
    WHERE job_id = ${value('jobId')}`,
);

export const removeJob = deleteBy(libraryJob, 'jobId');
