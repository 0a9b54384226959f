import { ServiceError } from '../../../core/lib/errors.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { StartedJob } from '../../../room/jobs/contract.ts';
import type { Job } from '../../../room/jobs/documents.ts';
import { keptCaller, resumeMaker } from '../../../room/kept-caller-sql.ts';
import type { Subject } from '../../../security/subject.ts';
import type { IngestParts } from '../parts.ts';
import { findUploadKey, insertUploadKey, type UploadKeyRow } from '../store.ts';
import type { UploadPlace } from './receive.ts';

/** Target of a file that comes by an upload key, and the job document for the answer. */
export interface KeptPlace extends UploadPlace {
  readonly job: Job;
}

interface NewUploadKey {
  /** Plain key, which is shown once: only its fingerprint is stored. */
  readonly key: string;
  forJob(job: StartedJob): Statement;
}

const hour = 3_600_000;

/** Upload key, the parameter `passkey`: permits the upload of one file without credentials. */
export function newUploadKey(
  { random, fingerprint, clock, settings }: IngestParts,
  subject: Subject,
  place: UploadPlace,
): NewUploadKey {
  const key = textOfBytes(random.bytes(24));
  const expires = clock.now() + settings.uploadKeyHours * hour;
  const row = { hash: fingerprint(key), user: subject.name, ...keptCaller(subject), expires };
  return {
    key,
    forJob({ jobId, document }) {
      const uploadKeyPlace: KeptPlace = { ...place, job: document };
      return insertUploadKey({ ...row, jobId, place: JSON.stringify(uploadKeyPlace) });
    },
  };
}

/** Row of a usable upload key, which ends with the logins of its maker. Refusals do not tell the reason. */
export async function usableUploadKey(parts: IngestParts, key: string | undefined): Promise<UploadKeyRow> {
  const row = key ? await findUploadKey(parts.store, { hash: parts.fingerprint(key) }) : undefined;
  if (!row || row.expires <= parts.clock.now()) throw refusedKey;
  if (row.caller === null) return row;
  const maker = await resumeMaker(parts.services.directory, row.caller);
  if ('ended' in maker) throw refusedKey;
  return row;
}

export const refusedKey = new ServiceError('not-authenticated', {
  context: 'passkey',
  explanation: 'Expected the passkey of an import that waits for its file',
});
