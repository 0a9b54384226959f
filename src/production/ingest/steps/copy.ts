import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { watched } from '../../../core/lib/streams.ts';
import { together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { JobFails, JobWaits, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import {
  bytesQuotaHook,
  chooseStorage,
  discard,
  fileHashes,
  finishPending,
  inventPath,
  jobError,
  keptAlgorithms,
  nameFile,
  newFile,
  noSuchStorage,
  ruledByHook,
  safeExtensionOf,
  storageRefusal,
  storageThere,
  targetRow,
} from '../../../storage/public.ts';
import type { FileRow } from '../../../storage/public-reading.ts';
import type { IngestParts } from '../parts.ts';
import { jobMayHave } from '../sources/foreign.ts';
import { openImportSource } from '../sources/open.ts';
import { nameIn, type Source } from '../sources/source.ts';
import type { ImportMemo } from './import-job.ts';

/** Bytes between two checks of free space, for bodies of unknown length. */
const stride = 64 * 1024 * 1024;

/** The storage that takes the new file of an item: as the caller wants it, or as the rules say. */
async function storageFor(
  { store, hooks }: Pick<IngestParts, 'store' | 'hooks'>,
  { itemId, importTag, storageId }: Pick<ImportMemo, 'itemId' | 'importTag' | 'storageId'>,
): Promise<string | undefined> {
  if (storageId !== undefined) return storageId;
  const about = await hooks.need(ruledByHook)(store, { item: itemId });
  return chooseStorage(store, { ...about, tags: [...new Set([...about.tags, ...importTag])] });
}

/** Reserves the path of the copy. Callers see that the file will appear. */
export async function reserveCopy(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  importing: ImportMemo,
): Promise<StepResult<ImportMemo>> {
  const { store, clock, destinations } = parts;
  const storageId = await storageFor(parts, importing);
  if (storageId === undefined) {
    throw new JobWaits({ resourceType: 'STORAGE', resourceId: '*', requirement: 'StorageForImports' });
  }
  try {
    const storage = await destinations.storageOf(storageId);
    if (storage.state.startsWith('EVACUAT')) throw new JobFails(`Expected a storage for new files: ${storage.state}`);
    const { driver } = await destinations.writableOf(storage);
    const id = await store.nextId('file');
    const { filename, itemId, shapeId, componentId, importTag, address } = importing;
    const extension = safeExtensionOf(filename ?? nameIn(address!));
    const says: string[] = [];
    const about = {
      itemId,
      shapeId,
      componentId,
      shapeTag: importTag,
      tell: (sentence: string) => says.push(sentence),
    };
    const unnamed = { storageId, fileId: id, ...about, extension, preferredPaths: [] };
    const path = await inventPath(parts, unnamed, driver, job.actor);
    const target = targetRow(id, storageId, path, clock.now());
    const guards = [storageThere({ id: storageId }, noSuchStorage(storageId)), nameFile({ fileId: id, jobId: job.id })];
    return {
      work: together(newFile(target, changedMeanwhile('File', id)), { changes: guards, events: [] }),
      memo: { targetId: id, isCopy: true },
      data: [['fileId', id]],
      says,
    };
  } catch (error) {
    throw jobError(error, storageId);
  }
}

/** Copies the bytes of a source to the path that was reserved. `commit`: ends the step in the commit that tells of them. */
export async function copySource(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  target: FileRow,
  address: string,
  commit: (work: CommitPlan) => Promise<void>,
): Promise<void> {
  const { destinations, publishing, space, store } = parts;
  const by = { actor: job.actor, commit };
  const { storageId, path, id } = target;
  if (await finishPending(parts, job, by)) return;
  const to = await destinations.writableOf(await destinations.storageOf(storageId));
  const source = await openImportSource(parts, jobMayHave(parts, job), address, job.signal);
  await space.mustHold(to.method, to.driver, source.size ?? 0);
  const owner = { item: job.memo.itemId };
  const roomFor = (bytes: number) =>
    parts.hooks.need(bytesQuotaHook).guards({ storageId, fileId: id, bytes, for: owner });
  // Before the bytes come, where the source says how many there are.
  const early = source.size === undefined ? [] : await roomFor(source.size);
  if (early.length > 0) await store.commit({ changes: early, events: [] }, job.actor);
  const look = eachStride(() => space.mustHold(to.method, to.driver, 0));
  const watchedBody = watched(await source.body(), look);
  const staged = await stage(to, watchedBody.body, source, job).catch((error: unknown) => {
    throw watchedBody.failure() ?? storageRefusal(error, { storage: storageId });
  });
  const { token, size, hashes } = staged;
  if (source.size !== undefined && size !== source.size) {
    await discard(to.driver, token);
    throw new Error(`Expected ${source.size} bytes from the address: found ${size}`);
  }
  const place = { methodId: to.method.id, storageId, path, fileId: id, mode: 'create' as const };
  const bytes = { token, size, ...fileHashes(hashes), state: 'CLOSED', transferId: null, jobId: job.id };
  await publishing.publish({ ...bytes, ...place }, to.driver, by, [job.mine, ...(await roomFor(size))]);
}

const stage = (
  { driver }: Awaited<ReturnType<IngestParts['destinations']['writableOf']>>,
  body: ReadableStream<Uint8Array>,
  { size }: Source,
  job: LeasedJob<ImportMemo>,
) =>
  driver.stage!(body, {
    hashes: keptAlgorithms,
    ...(size !== undefined && { size }),
    signal: job.signal,
    onBytes: (count) => job.progress(count, size ?? count),
  });

/** Looks at each stride of bytes. */
function eachStride(look: () => Promise<void>): (piece: Uint8Array) => Promise<void> | void {
  let [came, next] = [0, stride];
  return ({ byteLength }) => {
    came += byteLength;
    if (came < next) return undefined;
    next += stride;
    return look();
  };
}
