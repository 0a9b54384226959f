import { ServiceError } from '../../../core/lib/errors.ts';
import { pacing, watched } from '../../../core/lib/streams.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { JobFails, JobWaits, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Staged, StorageDriver } from '../../../spi/index.ts';
import { discard, type Publisher, publicationOfJob, publishingLease } from '../../bytes/publishing/publish.ts';
import { findMethod, findPublication, type Publication, takePublication } from '../../bytes/publishing/store.ts';
import { kindOfFailure, storageRefusal } from '../../drivers.ts';
import { fileHashes, keptAlgorithms } from '../../files/hashes.ts';
import { unable } from '../../files/rules.ts';
import { type FileRow, findFile } from '../../files/store.ts';
import { methodsOf } from '../../storages/store.ts';
import type { FileJobParts } from '../file-job.ts';
import { waitsForFile } from '../file-job.ts';
import type { CopyMemo } from './order.ts';

/** The bytes of a job that were about to get their path when it stopped: taken over by this instance. */
async function pendingOf({ store, clock, instanceId }: FileJobParts, job: LeasedJob): Promise<Publication | undefined> {
  const row = await findPublication(store, { id: publicationOfJob(job.id) });
  if (!row) return undefined;
  const until = clock.now() + publishingLease;
  const lost = unable(row.storageId, 'Expected the bytes of a job that nobody else publishes');
  await store.commit(changing(job.mine, ...takePublication(row, instanceId, until, lost)), job.actor);
  return { ...row, instance: instanceId, leaseUntil: until };
}

/**
 * Finishes a publication of an earlier attempt: the storage is asked again about its state. False: there was none, so
 * the bytes are copied again.
 */
export async function finishPending(parts: FileJobParts, job: LeasedJob, by: Publisher): Promise<boolean> {
  const pending = await pendingOf(parts, job);
  if (!pending) return false;
  const method = await findMethod(parts.store, { id: pending.methodId });
  if (!method) {
    await parts.publishing.undo(pending, undefined);
    return false;
  }
  await parts.publishing.finish(pending, await parts.places.of(method), by);
  return true;
}

/** Copies the bytes of a file to the path of another one. `commit`: ends the step in the same commit as the events. */
export async function copyBytes(
  parts: FileJobParts,
  job: LeasedJob<CopyMemo>,
  source: FileRow,
  commit: (work: CommitPlan) => Promise<void>,
): Promise<void> {
  const { store, destinations, publishing } = parts;
  const { limitRate, destinationFileId: targetId } = job.memo;
  const by: Publisher = { actor: job.actor, commit };
  if (await finishPending(parts, job, by)) return;
  const target = await findFile(store, { id: targetId! });
  if (!target) throw new JobFails(`Expected the file that the job writes to stay: ${targetId} is gone`);
  const { storageId, path } = target;
  const to = await destinations.writableOf(await destinations.storageOf(storageId));
  await parts.space.mustHold(to.method, to.driver, source.size ?? 0);
  const staged = await readFrom(parts, source, job.signal, async (driver) => {
    const version = source.content === null ? {} : { version: source.content };
    const { file, body } = await driver.read(source.path, { ...version, signal: job.signal });
    const watchedBody = watched(body, limitRate === undefined ? undefined : pacing(limitRate, parts.clock, job.signal));
    try {
      return await stage(to.driver, watchedBody.body, file.size, job, storageId);
    } catch (error) {
      throw watchedBody.failure() ?? error;
    }
  });
  const { token, size, hashes } = staged;
  if (source.size !== null && size !== source.size) {
    await discard(to.driver, token);
    throw new Error(`Expected ${source.size} bytes of ${source.id}: found ${size}`);
  }
  const place = { methodId: to.method.id, storageId, path, fileId: target.id, mode: 'create' as const };
  const bytes = { token, size, ...fileHashes(hashes), state: 'CLOSED', transferId: null, jobId: job.id };
  await publishing.publish({ ...bytes, ...place }, to.driver, by, [job.mine]);
}

async function stage(
  driver: StorageDriver,
  body: ReadableStream<Uint8Array>,
  size: number,
  job: LeasedJob,
  storageId: string,
): Promise<Staged> {
  const onBytes = (count: number) => job.progress(count, size);
  try {
    return await driver.stage!(body, { hashes: keptAlgorithms, size, signal: job.signal, onBytes });
  } catch (error) {
    throw storageRefusal(error, { storage: storageId });
  }
}

/** The first method of the source that can be read. */
async function readFrom<T>(
  { store, places }: FileJobParts,
  { id, storageId, path }: FileRow,
  signal: AbortSignal,
  read: (driver: StorageDriver) => Promise<T>,
): Promise<T> {
  let refusal: unknown;
  for (const method of await methodsOf(store, { id: storageId })) {
    if (method.read === 0) continue;
    try {
      return await read(await places.of(method));
    } catch (error) {
      if (signal.aborted || error instanceof ServiceError) throw error;
      refusal ??= error;
    }
  }
  if (refusal === undefined) throw unable(storageId, 'Expected a storage with a method that reads');
  if (kindOfFailure(refusal) === 'not-found') throw new JobWaits(waitsForFile('FileMissing', id));
  throw storageRefusal(refusal, { storage: storageId, path });
}
