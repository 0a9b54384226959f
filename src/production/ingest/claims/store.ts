import type { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { deleteBy, insertInto, rowBy } from '../../../core/store/rows.ts';
import { importClaim, importUpload } from '../tables.ts';

type Claim = { readonly type: 'file' | 'component'; readonly id: string; readonly jobId: string };

const insert = insertInto(importClaim);

/** No other import takes it until the job has ended. `taken`: the refusal where one has. */
export const claim = (given: Claim, taken: ServiceError): Statement => insert(given, taken);

/** Claims an uploaded file for the job that imports it. */
export const takenBy = ({ fileId, jobId }: { readonly fileId: string; readonly jobId: string }): Statement =>
  claim({ type: 'file', id: fileId, jobId }, changedMeanwhile('File', fileId));

export const claimedBy = rowBy(importClaim, ['type', 'id'], 'jobId');

export const forgetClaims = deleteBy(importClaim, 'jobId');

/** The job that took an uploaded file, as its client was answered. */
export const uploadOf = rowBy(importUpload, 'fileId');

export const insertUpload = insertInto(importUpload);
