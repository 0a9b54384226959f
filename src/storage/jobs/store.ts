import { asc, eq, sql } from 'drizzle-orm';
import type { Statement } from '../../core/store/contract.ts';
import { dueWhile } from '../../core/store/due.ts';
import { guard } from '../../core/store/guard.ts';
import { deleteBy } from '../../core/store/rows.ts';
import { query, statement, value, writes } from '../../core/store/statement.ts';
import { job } from '../../room/jobs/tables.ts';
import { file, fileJob, storage } from '../tables.ts';

type FileOfJob = { readonly fileId: string; readonly jobId: string };

/** Marks the file as used by an unfinished job, which protects its bytes from deletion. */
export const nameFile = statement<FileOfJob>(
  sql`INSERT INTO ${writes('file_job')} (file_id, job_id, reads) VALUES (${value('fileId')}, ${value('jobId')}, 0)
    ON CONFLICT (file_id, job_id) DO UPDATE SET rest_until = NULL`,
);

/** Newest job whose data names the file, also after its end. */
export const newestJobOf = query(
  sql`SELECT job.id, (SELECT value FROM job_datum AS item WHERE item.job_id = job.id AND item.key = 'itemId' LIMIT 1)
    FROM job_datum CROSS JOIN job ON job.id = job_datum.job_id
    WHERE job_datum.key = 'fileId' AND job_datum.value = ${value('fileId')} ORDER BY job.serial DESC LIMIT 1`,
  { id: job.id, itemId: sql<string | null>`` },
).first;

export const forgetJob = deleteBy(fileJob, 'jobId');

/** The job has ended badly, and nothing moves the file again by itself before that time. */
export const letRest = statement<FileOfJob & { until: number }>(
  sql`UPDATE ${writes('file_job')} SET reads = 0, rest_until = ${value('until')}
    WHERE file_id = ${value('fileId')} AND job_id = ${value('jobId')}`,
);

/** Releases the files of a job, except those at rest. */
export const forgetUnended = statement<{ jobId: string }>(
  sql`DELETE FROM ${writes('file_job')} WHERE job_id = ${value('jobId')} AND rest_until IS NULL`,
);

export const forgetRests = statement<{ fileId: string }>(
  sql`DELETE FROM ${writes('file_job')} WHERE file_id = ${value('fileId')} AND rest_until IS NOT NULL`,
);

/** Ends the rest periods of all files of a storage. */
export const forgetRestsOf = statement<{ storageId: string }>(
  sql`DELETE FROM ${writes('file_job')} WHERE rest_until IS NOT NULL
    AND EXISTS (SELECT 1 FROM file WHERE file.id = file_id AND storage_id = ${value('storageId')})`,
);

export const forgetFileJobs = deleteBy(fileJob, 'fileId');

const markReads = statement<FileOfJob & { reads: number }>(
  sql`UPDATE ${writes('file_job')} SET reads = ${value('reads')} WHERE file_id = ${value('fileId')} AND job_id = ${value('jobId')}`,
);

const markRead = statement<{ fileId: string }>(
  sql`UPDATE ${writes('file')} SET state = 'BEING_READ', version = version + 1 WHERE id = ${value('fileId')} AND state = 'CLOSED'`,
);

const unmarkRead = statement<{ fileId: string }>(
  sql`UPDATE ${writes('file')} SET state = 'CLOSED', version = version + 1 WHERE id = ${value('fileId')} AND state = 'BEING_READ'
    AND NOT EXISTS (SELECT 1 FROM file_job WHERE file_id = ${value('fileId')} AND reads = 1)`,
);

/** Marks the file as BEING_READ, or back when its last job ends. No event is sent. */
export const beginReading = (named: FileOfJob): readonly Statement[] => [
  markReads({ ...named, reads: 1 }),
  markRead({ fileId: named.fileId }),
];
export const endReading = (named: FileOfJob): readonly Statement[] => [
  markReads({ ...named, reads: 0 }),
  unmarkRead({ fileId: named.fileId }),
];

/** No job that has not ended names the file, but for this one. */
export const notInJobs = guard<FileOfJob>(
  sql`NOT EXISTS (SELECT 1 FROM file_job WHERE file_id = ${value('fileId')} AND job_id <> ${value('jobId')}
    AND rest_until IS NULL)`,
);

type Both = { readonly from: string; readonly to: string };

/** The components that have one file have the other one, too. */
export const shareUses = statement<Both>(
  sql`INSERT INTO ${writes('file_use')} (file_id, item_id, shape_id, component_id)
    SELECT ${value('to')}, item_id, shape_id, component_id FROM file_use WHERE file_id = ${value('from')}
    ON CONFLICT DO NOTHING`,
);

/** A scan may have written some of them already. */
export const shareKeys = statement<Both>(
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT 'file', ${value('to')}, key, position, value FROM key_value
      WHERE entity_type = 'file' AND entity_id = ${value('from')}
    ON CONFLICT DO NOTHING`,
);

/** Guards that the file is still expected: no scan found bytes at its path, and it has no content. */
export const stillToAppear = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM file WHERE id = ${value('id')} AND state = 'TO_APPEAR' AND content IS NULL)`,
);

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
export const isInOtherJobs = async (...parameters: Parameters<typeof otherJob>): Promise<boolean> =>
  (await otherJob(...parameters)) !== undefined;

export const evacuationDue = dueWhile(sql`SELECT 1 FROM storage WHERE state = 'EVACUATING' AND deleted_at IS NULL`);

export const evacuatingStorages = query((db) =>
  db
    .select({ id: storage.id })
    .from(storage)
    .where(sql`${storage.state} = 'EVACUATING' AND ${storage.deletedAt} IS NULL`)
    .orderBy(asc(storage.serial)),
);

/** Whether a job has the file, or one has failed a short while ago. */
const isBusy = sql<number>`EXISTS (SELECT 1 FROM file_job WHERE file_id = ${file.id}
  AND (rest_until IS NULL OR rest_until > ${value('now')}))`;

/** The next files behind one that could move. */
export const closedFiles = query((db) =>
  db
    .select({ id: file.id, serial: file.serial, isBusy })
    .from(file)
    .where(sql`${file.storageId} = ${value('id')} AND ${file.state} = 'CLOSED' AND ${file.serial} > ${value('after')}`)
    .orderBy(asc(file.serial))
    .limit(value('limit')),
);

/** Moves away from a storage that have not ended. */
export const movesFromStorage = query((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(sql`file_job`)
    .innerJoin(file, sql`${file.id} = file_job.file_id`)
    .where(sql`file_job.rest_until IS NULL AND ${eq(file.storageId, value('id'))}`),
).first;
