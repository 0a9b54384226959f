import { passing } from '../../../core/lib/streams.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { jobError, kindOfFailure, methodsOf, storageRefusal } from '../../../storage/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportedBytes } from './write.ts';

/** The file to export is not there any more. */
export class SourceGone extends Error {}

/** Opens the bytes of a file by the first method that can read them. */
export async function openExportSource(
  { store, places }: Pick<ExportParts, 'store' | 'places'>,
  { signal }: LeasedJob,
  fileId: string,
): Promise<ExportedBytes> {
  const row = await findFile(store, { id: fileId });
  if (!row || row.state === 'TO_BE_DELETED') throw new SourceGone();
  const { storageId, path, content } = row;
  let refusal: unknown;
  for (const method of await methodsOf(store, { id: storageId })) {
    if (method.read === 0) continue;
    try {
      const driver = await places.of(method);
      const version = content === null ? {} : { version: content };
      const { file, body } = await driver.read(path, { ...version, signal });
      // A driver may find out only while it reads that a file is gone.
      const fails = (error: unknown) => sourceError(error, fileId) ?? error;
      return { body: passing(body, { fails }), size: file.size };
    } catch (error) {
      signal.throwIfAborted();
      refusal ??= error;
    }
  }
  if (refusal === undefined) throw new JobFails(`Expected a storage with a method that reads: ${storageId}`);
  throw sourceError(refusal, fileId) ?? jobError(storageRefusal(refusal, { storage: storageId, path }), storageId);
}

function sourceError(error: unknown, fileId: string): Error | undefined {
  const kind = kindOfFailure(error);
  if (kind === 'not-found') return new SourceGone();
  return kind === 'changed' ? new JobFails(`Expected the file ${fileId} to stay as it was`) : undefined;
}
