import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import {
  type JobEnd,
  JobFails,
  type JobNeed,
  type JobStep,
  type JobType,
  type LeasedJob,
  type RestartedJob,
} from '../../../room/jobs/job-type.ts';
import { bytesAllowedHook, wantedPathsHook } from '../../contract.ts';
import { whenOf } from '../../files/changes/routes.ts';
import { usesOfFile } from '../../files/entity.ts';
import { extensionOf, inventPath, isFree } from '../../files/naming.ts';
import { noUses } from '../../files/rules.ts';
import { type FileRow, findFile } from '../../files/store.ts';
import type { FileJobParts } from '../file-job.ts';
import { fileOfJob, jobError, noHashes, waitForBytes, waitsForFile } from '../file-job.ts';
import { forgetJob, forgetUnended, letRest } from '../store.ts';
import { copyBytes, finishPending } from './copy-bytes.ts';
import { type CopyMemo, fileCopy, fileMove, reserveCopy } from './order.ts';
import {
  dropTarget,
  letTargetRest,
  releaseSource,
  removeSource,
  reserveTarget,
  restsAfter,
  shareSource,
  targetRow,
} from './rules.ts';

type CopyJob = LeasedJob<CopyMemo>;

/** Copies of files, with the hashes compared, and moves: copies whose source goes. */
export function copyTypes(parts: FileJobParts): readonly JobType<typeof fileCopy.memo>[] {
  const { store, clock, destinations } = parts;
  const sourceOf = (job: CopyJob) => fileOfJob(store, job.memo.fileId, 'source');
  const targetOf = (job: CopyJob) => fileOfJob(store, job.memo.destinationFileId!, 'new');
  const join = (...works: readonly CommitPlan[]): CommitPlan => ({
    changes: works.flatMap(({ changes }) => changes),
    events: works.flatMap(({ events }) => events),
  });

  const waitForHash = async (row: FileRow) =>
    row.hash === null && (await noHashes(store, row.storageId)) === undefined
      ? waitsForFile('FileHash', row.id)
      : undefined;

  /** Moves of an evacuation end with it. */
  async function requireEvacuation({ rest }: CopyMemo, { storageId }: FileRow): Promise<void> {
    if (rest === undefined || (await destinations.storageOf(storageId)).state === 'EVACUATING') return;
    throw new JobFails(`Expected the evacuation of ${storageId} to go on`);
  }

  /** The path of the copy: free when it was looked for. */
  async function pathFor(
    job: CopyJob,
    source: FileRow,
    fileId: string,
    tell: (sentence: string) => void,
  ): Promise<string> {
    const { destinationStorageId: storageId, filename } = job.memo;
    const storage = await destinations.storageOf(storageId);
    if (storage.state.startsWith('EVACUAT')) throw new JobFails(`Expected a storage for new files: ${storage.state}`);
    const { driver } = await destinations.writableOf(storage);
    if (filename !== undefined) {
      await destinations.requireFree({ storageId, path: filename }, driver);
      return filename;
    }
    for (const path of await parts.hooks.need(wantedPathsHook)(store, { fileId: source.id, storageId })) {
      if (await isFree(destinations, { storageId, path }, driver)) return path;
    }
    const { itemId, shapeId } = await usesOfFile(store, source.id);
    const unnamed = {
      storageId,
      fileId,
      itemId: itemId[0],
      shapeId: shapeId[0],
      tell,
      extension: extensionOf(source.path),
      preferredPaths: [source.path],
    };
    return inventPath(parts, unnamed, driver, job.actor);
  }

  const steps: readonly JobStep<CopyMemo>[] = [
    {
      step: 90,
      description: 'Waiting for source file hash',
      async waits(job) {
        const source = await sourceOf(job);
        await requireEvacuation(job.memo, source);
        return waitForBytes(source) ?? (await waitForHash(source));
      },
      async run(job) {
        const off = await noHashes(store, (await sourceOf(job)).storageId);
        return off === undefined ? {} : { says: [off] };
      },
    },
    {
      step: 92,
      description: 'Retrieving source file hash',
      async run(job) {
        const { hash } = await sourceOf(job);
        return hash === null ? { says: ['The source has no hash'] } : { memo: { sourceHash: hash }, says: [hash] };
      },
    },
    {
      step: 100,
      description: 'Copying',
      waits: async (job) => waitForBytes(await sourceOf(job)),
      async begin(job) {
        if (job.memo.destinationFileId !== undefined) return {};
        const source = await sourceOf(job);
        const id = await store.nextId('file');
        try {
          const says: string[] = [];
          const path = await pathFor(job, source, id, (sentence) => says.push(sentence));
          const target = targetRow(id, job.memo.destinationStorageId, path, clock.now());
          const work = reserveTarget(job, source, target);
          return { work, memo: { destinationFileId: id }, says };
        } catch (error) {
          throw jobError(error, job.memo.destinationStorageId);
        }
      },
      async run(job) {
        const { memo } = job;
        const source = await sourceOf(job);
        const end = (work: CommitPlan) =>
          job.done({
            work: { ...work, changes: [...work.changes, ...releaseSource(job, memo)] },
            memo: { isWritten: true },
          });
        try {
          await copyBytes(parts, job, source, end);
        } catch (error) {
          throw jobError(error, memo.destinationStorageId);
        }
        return {};
      },
    },
    {
      step: 140,
      description: 'Waiting for destination file hash',
      async waits(job) {
        return job.memo.sourceHash === undefined ? undefined : waitForHash(await targetOf(job));
      },
      run: async () => ({}),
    },
    {
      step: 150,
      description: 'Verifying file hashes',
      async run(job) {
        const { sourceHash } = job.memo;
        const { hash, storageId } = await targetOf(job);
        if (sourceHash === undefined) return { says: ['Not compared: the source has no hash'] };
        if (hash === sourceHash) return { says: [hash] };
        const off = hash === null ? await noHashes(store, storageId) : undefined;
        if (off !== undefined) return { says: [off] };
        throw new JobFails(`Expected the hash of the source, "${sourceHash}": found "${hash}"`);
      },
    },
    {
      step: 200,
      description: 'Updating references',
      async run(job) {
        const { fileId, forUses } = job.memo;
        const source = await findFile(store, { id: fileId });
        const uses = source ? await usesOfFile(store, source.id) : noUses;
        if (forUses && uses.shapeId.length === 0) throw new JobFails(`Expected a component that has ${fileId}`);
        if (!source) return { says: ['The source is gone'], memo: { isShared: true } };
        return {
          work: shareSource(source, await targetOf(job), uses, job.type === fileMove.type),
          memo: { isShared: true },
        };
      },
    },
  ];

  const removing: JobStep<CopyMemo> = {
    step: 210,
    description: 'Removing source',
    async run(job) {
      const { fileId, sourceHash } = job.memo;
      const source = await findFile(store, { id: fileId });
      if (!source || source.state === 'TO_BE_DELETED') return { says: ['The source is gone'] };
      const isSame = source.hash === (sourceHash ?? null);
      if (!isSame || source.state === 'OPEN') throw new JobFails(`Expected the source to stay as it was: ${fileId}`);
      return { work: removeSource(source, await usesOfFile(store, fileId), whenOf(parts)) };
    },
  };

  /** Finishes a pending publication first: its bytes may already be at their path. */
  async function clean(job: CopyJob): Promise<CommitPlan> {
    const { memo } = job;
    const isFinished = await finishPending(parts, job, {
      actor: job.actor,
      commit: (work) => store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor),
    });
    const { destinationFileId: id } = memo;
    const target = id === undefined ? undefined : await findFile(store, { id });
    // Otherwise foreign bytes were found at the path, and the row describes them by now.
    const isOurs = target && (memo.isWritten || isFinished || target.state === 'TO_APPEAR');
    const dropped = isOurs && !memo.isShared ? dropTarget(target, clock.now()) : changing();
    return join({ changes: releaseSource(job, memo), events: [] }, dropped);
  }

  async function ended(job: CopyJob, how: JobEnd): Promise<CommitPlan> {
    const { memo } = job;
    const cleaned = how === 'FINISHED' ? changing() : await clean(job);
    const forgotten = how === 'FINISHED' ? letTargetRest(job.id, memo, clock.now()) : [forgetJob({ jobId: job.id })];
    if (!restsAfter(how, memo)) return join(cleaned, { changes: forgotten, events: [] });
    const until = clock.now() + memo.rest!;
    const rests = [letRest({ fileId: memo.fileId, jobId: job.id, until }), forgetUnended({ jobId: job.id })];
    return join(cleaned, { changes: rests, events: [] });
  }

  const restart = async ({ jobId, memo, caller }: RestartedJob<CopyMemo>) => {
    await parts.hooks.need(bytesAllowedHook)(caller, memo.fileId);
    return reserveCopy(jobId, memo);
  };

  const needs = ({ fileId: id }: CopyMemo): readonly JobNeed[] => [{ on: 'bytes', id }];
  return [
    { ...fileCopy, needs, steps, restart, ended },
    { ...fileMove, needs, steps: [...steps, removing], restart, ended },
  ];
}
