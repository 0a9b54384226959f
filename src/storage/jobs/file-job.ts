import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import { JobFails, JobWaits, type WaitReason } from '../../room/jobs/job-type.ts';
import type { Publishing } from '../bytes/publishing/publish.ts';
import type { Destinations } from '../bytes/receiving/destination.ts';
import type { Space } from '../bytes/receiving/upload-limits.ts';
import { hasAllBytes } from '../files/rules.ts';
import { type FileRow, findFile } from '../files/store.ts';
import type { StorageParts } from '../parts.ts';

/** Parts of the file jobs. */
export interface FileJobParts extends StorageParts {
  readonly publishing: Publishing;
  readonly destinations: Destinations;
  readonly space: Space;
}

/** Wait reasons of file jobs, with a fixed wording. */
export const waitsForFile = (requirement: string, fileId: string): WaitReason => ({
  resourceType: 'FILE',
  resourceId: fileId,
  requirement,
});
const waitsForStorage = (requirement: string, storageId: string): WaitReason => ({
  resourceType: 'STORAGE',
  resourceId: storageId,
  requirement,
});

/** Maps a storage error to the job's reaction: wait for a full or offline storage, fail for a bad name, else retry. */
export function jobError(error: unknown, storageId: string): unknown {
  if (!(error instanceof ServiceError)) return error;
  const says = error.detail.explanation ?? error.code;
  const about = error.detail.id ?? storageId;
  if (error.code === 'storage-offline') return new JobWaits(waitsForStorage('StorageOffline', about));
  if (error.code === 'file-archived') return new JobWaits(waitsForFile('FileArchived', about));
  if (error.code === 'no-space') return new JobWaits(waitsForStorage('StorageFull', about));
  return hopeless.has(error.code) ? new JobFails(`${says}: ${about}`) : error;
}

const hopeless: ReadonlySet<string> = new Set([
  'no-such-entity',
  'storage-unable',
  'storage-denied',
  'file-exists',
  'quota-exceeded',
  'bad-value',
  'bad-parameter',
]);

export async function fileOfJob(reader: Reader, id: string, what: string): Promise<FileRow> {
  const row = await findFile(reader, { id });
  if (row && row.state !== 'TO_BE_DELETED') return row;
  throw new JobFails(
    `Expected the ${what} file to stay until the job ends: ${id} ${row ? 'waits for its deletion' : 'is gone'}`,
  );
}

/** Wait reason until all bytes of the file are there. Undefined: complete. */
export function waitForBytes(row: FileRow): WaitReason | undefined {
  const { id, state } = row;
  if (hasAllBytes(row)) return undefined;
  if (state === 'ARCHIVED') return waitsForFile('FileArchived', id);
  return waitsForFile(state === 'MISSING' || state === 'LOST' ? 'FileMissing' : 'FileNotClosed', id);
}

/** Whether files of a storage get their hashes. Undefined where they do: the sentence why not. */
export async function noHashes(reader: Reader, storageId: string): Promise<string | undefined> {
  const pairs = (await keyValuesOf(reader, 'storage', [storageId])).get(storageId) ?? [];
  const off = pairs.some(({ key, value }) => key === 'hashMode' && value.toLowerCase() === 'off');
  return off ? `Not compared: hashing is switched off on ${storageId} (hashMode)` : undefined;
}
