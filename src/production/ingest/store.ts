import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../core/store/contract.ts';
import { guard } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { eachOf, query, value, valuesOf } from '../../core/store/statement.ts';
import { deleted, goesWith, inserted, triggers, updated } from '../../core/store/triggers-sql.ts';
import { autoImportDue, importClaim, importSidecar, importSource, importUpload, importUploadKey } from './tables.ts';

type Claim = { readonly type: 'file' | 'component'; readonly id: string; readonly jobId: string };

const insert = insertInto(importClaim);

/** No other import takes it until the job has ended. `taken`: the refusal where one has. */
export const claim = (row: Claim, taken: ServiceError): Statement => insert(row, taken);

/** Claims an uploaded file for the job that imports it. */
export const takenBy = ({ fileId, jobId }: { readonly fileId: string; readonly jobId: string }): Statement =>
  claim({ type: 'file', id: fileId, jobId }, changedMeanwhile('File', fileId));

export const claimedBy = rowBy(importClaim, ['type', 'id'], 'jobId');

export const forgetClaims = deleteBy(importClaim, 'jobId');

/** The job that took an uploaded file, as its client was answered. */
export const uploadOf = rowBy(importUpload, 'fileId');

export const insertUpload = insertInto(importUpload);

/** The key of a job that waits for its bytes. */
export const uploadKeyOf = rowBy(importUploadKey, 'jobId');

export const findUploadKey = rowBy(importUploadKey, 'hash');

export type UploadKeyRow = NonNullable<Awaited<ReturnType<typeof findUploadKey>>>;

export const insertUploadKey = insertInto(
  importUploadKey,
  'hash',
  'jobId',
  'user',
  'caller',
  'login',
  'expires',
  'place',
);

export const uploadKeyUnused = guard<{ hash: string }>(
  sql`EXISTS (SELECT 1 FROM import_upload_key WHERE hash = ${value('hash')} AND file_id IS NULL)`,
);

export const useUploadKey = updateBy(importUploadKey, 'hash', 'fileId');

export const forgetUploadKey = deleteBy(importUploadKey, 'jobId');

export const sidecarOf = rowBy(importSidecar, 'jobId');

export const insertSidecar = insertInto(importSidecar);

export const forgetSidecar = deleteBy(importSidecar, 'jobId');

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

/** Jobs of a list that have ended. No status: the job was deleted. */
export const endedAmong = query(
  sql`SELECT asked.value, job.status FROM ${eachOf('ids')} AS asked LEFT JOIN job ON job.id = asked.value
    WHERE job.id IS NULL OR job.finished_at IS NOT NULL`,
  { id: sql<string>``, status: sql<string | null>`` },
);

/** Jobs of a list by what they wait for. */
export const waitingAmong = query(
  sql`SELECT status, waiting, count(*) FROM job WHERE id IN ${valuesOf('ids')} AND finished_at IS NULL
    GROUP BY status, waiting LIMIT 100`,
  { status: sql<string>``, waiting: sql<string | null>``, count: sql<number>`` },
);

/** Import of a file of a folder. No status: its job was deleted. */
export const sourceSeen = query(
  sql`SELECT source.size, source.modified, source.item_id, source.job_id, job.status
    FROM import_source AS source LEFT JOIN job ON job.id = source.job_id WHERE source.hash = ${value('hash')}`,
  {
    size: sql<number>``,
    modified: sql<number>``,
    itemId: sql<string>``,
    jobId: sql<string>``,
    status: sql<string | null>``,
  },
).first;

export const insertSource = insertInto(importSource);

export const forgetSource = deleteBy(importSource, 'hash', 'jobId');

/** Files without a decision yet, the longest waiting first. */
export const filesToImport = query((db) =>
  db
    .select()
    .from(autoImportDue)
    .where(sql`${autoImportDue.due} <= ${value('now')}`)
    .orderBy(autoImportDue.due)
    .limit(value('limit')),
);

export const filesDue = sql`SELECT min(due) FROM auto_import_due`;

export const countDueFiles = query(sql`SELECT count(*) FROM auto_import_due`, { count: sql<number>`` });

export const forgetDueFile = deleteBy(autoImportDue, 'fileId');

export const putOffFile = updateBy(autoImportDue, 'fileId', 'due');

/** Jobs that have not ended and name the file, and the import that has claimed it. */
export const jobsWithFile = query(
  sql`SELECT job_id FROM file_job WHERE file_id = ${value('fileId')} AND rest_until IS NULL
    UNION SELECT job_id FROM import_claim WHERE type = 'file' AND id = ${value('fileId')}`,
  { jobId: sql<string>`` },
);

/** A file of a storage with a rule that is switched on, where no component has it. */
const importable = `NEW.state = 'CLOSED' AND EXISTS (SELECT 1 FROM auto_import_rule
    WHERE storage_id = NEW.storage_id AND enabled = 1)
  AND NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = NEW.id)`;

export const ingestSchema = (): readonly string[] => {
  const due = 'INSERT INTO auto_import_due (file_id, due) VALUES (NEW.id, 0) ON CONFLICT (file_id) DO NOTHING';
  const isNowImportable = `OLD.state <> NEW.state AND OLD.state <> 'BEING_READ' AND ${importable}`;
  return triggers({
    file_closed_import: updated('file', 'state', due, isNowImportable),
    file_made_import: inserted('file', due, importable),
    import_source_item_gone: deleted('item', goesWith({ import_source: 'item_id' })),
    file_gone_import: deleted('file', goesWith({ auto_import_due: 'file_id', import_upload: 'file_id' })),
  });
};
