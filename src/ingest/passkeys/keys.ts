import { orderDocument } from '../../jobs/contract.ts';
import type { Job } from '../../jobs/documents.ts';
import type { JobOrder } from '../../jobs/job-type.ts';
import { ServiceError } from '../../lib/errors.ts';
import { textOfBytes } from '../../lib/random.ts';
import type { Statement } from '../../store/contract.ts';
import type { IngestParts } from '../parts.ts';
import type { UploadPlace } from '../raw/receive.ts';
import { findPasskey, insertPasskey, type PasskeyRow } from './store.ts';

/** Where the file of a passkey goes, and the job that the upload answers. */
export interface KeptPlace extends UploadPlace {
  readonly job: Job;
}

export interface NewPasskey {
  /** Told once: only its fingerprint is kept. */
  readonly key: string;
  forJob(order: JobOrder): Statement;
}

const hour = 3_600_000;

/** A key by which somebody without credentials uploads one file. */
export function newPasskey(
  { random, fingerprint, clock, settings }: IngestParts,
  user: string,
  place: UploadPlace,
): NewPasskey {
  const key = textOfBytes(random.bytes(24));
  const expires = clock.now() + settings.passkeyHours * hour;
  const row = { hash: fingerprint(key), user, expires };
  const started = clock.now();
  return {
    key,
    forJob(order) {
      const kept: KeptPlace = { ...place, job: orderDocument(order, started) };
      return insertPasskey({ ...row, jobId: order.jobId, place: JSON.stringify(kept) });
    },
  };
}

/** The row of a key that may still be used. Nobody learns why another one may not. */
export async function usablePasskey(parts: IngestParts, key: string | undefined): Promise<PasskeyRow> {
  const row = key ? await findPasskey(parts.store, { hash: parts.fingerprint(key) }) : undefined;
  if (row && row.expires > parts.clock.now()) return row;
  throw refusedKey;
}

export const refusedKey = new ServiceError('not-authenticated', {
  context: 'passkey',
  explanation: 'Expected the passkey of an import that waits for its file',
});
