import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import type { Statement } from '../../store/contract.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { importClaim, importUpload } from '../tables.ts';

const value = sql.placeholder;

type Claim = { readonly type: 'file' | 'component'; readonly id: string; readonly jobId: string };

const insert = statement<Claim>(
  sql`INSERT INTO ${writes('import_claim')} (type, id, job_id) VALUES (${value('type')}, ${value('id')}, ${value('jobId')})`,
);

/** No other import takes it until the job has ended. `taken`: the refusal where one has. */
export const claim = (given: Claim, taken: ServiceError): Statement => insert(given, taken);

/** Claims an uploaded file for the job that imports it. */
export const takenBy = ({ fileId, jobId }: { readonly fileId: string; readonly jobId: string }): Statement =>
  claim({ type: 'file', id: fileId, jobId }, changedMeanwhile('File', fileId));

export const claimedBy = query((db) =>
  db
    .select({ jobId: importClaim.jobId })
    .from(importClaim)
    .where(sql`${importClaim.type} = ${value('type')} AND ${importClaim.id} = ${value('id')}`),
).first;

export const forgetClaims = statement<{ jobId: string }>(
  sql`DELETE FROM ${writes('import_claim')} WHERE job_id = ${value('jobId')}`,
);

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
