import {
  type HeldJob,
  type JobEnd,
  JobFails,
  type JobOrder,
  type JobStep,
  type JobType,
} from '../../../jobs/job-type.ts';
import type { CommitPlan } from '../../../store/contract.ts';
import { whenOf } from '../../files/changes/routes.ts';
import { extensionOf, inventPath, isFree } from '../../files/naming/names.ts';
import { noUses } from '../../files/states.ts';
import { type FileRow, findFile } from '../../files/store.ts';
import { usesOfFile } from '../../files/uses.ts';
import type { FileJobParts } from '../parts.ts';
import { forgetJob, forgetUnended, letRest } from '../store.ts';
import { fileOfJob, jobError, noHashes, waitForBytes, waitsForFile } from '../waits.ts';
import { copyBytes, finishPending } from './copy-bytes.ts';
import { besideCopy } from './order.ts';
import {
  type Copying,
  copyingOf,
  dropTarget,
  letTargetRest,
  releaseSource,
  removeSource,
  reserveTarget,
  restsAfter,
  shareSource,
  targetRow,
} from './rules.ts';

/** Copies of files, with the hashes compared, and moves: copies whose source goes. */
export function copyTypes(parts: FileJobParts): readonly JobType[] {
  const { store, clock, destinations } = parts;
  const sourceOf = (job: HeldJob) => fileOfJob(store, copyingOf(job).sourceId, 'source');
  const targetOf = (job: HeldJob) => fileOfJob(store, copyingOf(job).targetId!, 'new');
  const join = (...works: readonly CommitPlan[]): CommitPlan => ({
    changes: works.flatMap(({ changes }) => changes),
    events: works.flatMap(({ events }) => events),
  });

  const waitForHash = async (row: FileRow) =>
    row.hash === null && (await noHashes(store, row.storageId)) === undefined
      ? waitsForFile('FileHash', row.id)
      : undefined;

  /** Moves of an evacuation end with it. */
  async function requireEvacuation({ rest }: Copying, { storageId }: FileRow): Promise<void> {
    if (rest === undefined || (await destinations.storageOf(storageId)).state === 'EVACUATING') return;
    throw new JobFails(`Expected the evacuation of ${storageId} to go on`);
  }

  /** The path of the copy: free when it was looked for. */
  async function pathFor(
    job: HeldJob,
    source: FileRow,
    fileId: string,
    tell: (sentence: string) => void,
  ): Promise<string> {
    const { storageId, filename } = copyingOf(job);
    const storage = await destinations.storageOf(storageId);
    if (storage.state.startsWith('EVACUAT')) throw new JobFails(`Expected a storage for new files: ${storage.state}`);
    const { driver } = await destinations.writableOf(storage);
    if (filename !== undefined) {
      await destinations.requireFree({ storageId, path: filename }, driver);
      return filename;
    }
    for (const path of await parts.services.wantedPaths(store, { fileId: source.id, storageId })) {
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
      wishes: [source.path],
    };
    return inventPath(parts, unnamed, driver, job.actor);
  }

  const steps: readonly JobStep[] = [
    {
      step: 90,
      description: 'Waiting for source file hash',
      async waits(job) {
        const source = await sourceOf(job);
        await requireEvacuation(copyingOf(job), source);
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
        if (copyingOf(job).targetId !== undefined) return {};
        const source = await sourceOf(job);
        const id = await store.nextId('File');
        try {
          const says: string[] = [];
          const path = await pathFor(job, source, id, (sentence) => says.push(sentence));
          const target = targetRow(id, copyingOf(job).storageId, path, clock.now());
          const work = reserveTarget(job, source, target);
          return { work, memo: { targetId: id }, data: [['destinationFileId', id]], says };
        } catch (error) {
          throw jobError(error, copyingOf(job).storageId);
        }
      },
      async run(job) {
        const copying = copyingOf(job);
        const source = await sourceOf(job);
        const end = (work: CommitPlan) =>
          job.done({
            work: { ...work, changes: [...work.changes, ...releaseSource(job, copying)] },
            memo: { isWritten: true },
          });
        try {
          await copyBytes(parts, job, copying, source, end);
        } catch (error) {
          throw jobError(error, copying.storageId);
        }
        return {};
      },
    },
    {
      step: 140,
      description: 'Waiting for destination file hash',
      async waits(job) {
        return copyingOf(job).sourceHash === undefined ? undefined : waitForHash(await targetOf(job));
      },
      run: async () => ({}),
    },
    {
      step: 150,
      description: 'Verifying file hashes',
      async run(job) {
        const { sourceHash } = copyingOf(job);
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
        const { sourceId, moves, forUses } = copyingOf(job);
        const source = await findFile(store, { id: sourceId });
        const uses = source ? await usesOfFile(store, source.id) : noUses;
        if (forUses && uses.shapeId.length === 0) throw new JobFails(`Expected a component that has ${sourceId}`);
        if (!source) return { says: ['The source is gone'], memo: { isShared: true } };
        return { work: shareSource(source, await targetOf(job), uses, moves), memo: { isShared: true } };
      },
    },
  ];

  const removing: JobStep = {
    step: 210,
    description: 'Removing source',
    async run(job) {
      const { sourceId, sourceHash } = copyingOf(job);
      const source = await findFile(store, { id: sourceId });
      if (!source || source.state === 'TO_BE_DELETED') return { says: ['The source is gone'] };
      const isSame = source.hash === (sourceHash ?? null);
      if (!isSame || source.state === 'OPEN') throw new JobFails(`Expected the source to stay as it was: ${sourceId}`);
      return { work: removeSource(source, await usesOfFile(store, sourceId), whenOf(parts)) };
    },
  };

  /** Finishes a pending publication first: its bytes may already be at their path. */
  async function clean(job: HeldJob): Promise<CommitPlan> {
    const copying = copyingOf(job);
    const isFinished = await finishPending(parts, job, {
      actor: job.actor,
      commit: (work) => store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor),
    });
    const target = copying.targetId === undefined ? undefined : await findFile(store, { id: copying.targetId });
    // Otherwise foreign bytes were found at the path, and the row describes them by now.
    const isOurs = target && (copying.isWritten || isFinished || target.state === 'TO_APPEAR');
    const dropped = isOurs && !copying.isShared ? dropTarget(target, clock.now()) : { changes: [], events: [] };
    return join({ changes: releaseSource(job, copying), events: [] }, dropped);
  }

  async function ended(job: HeldJob, how: JobEnd): Promise<CommitPlan> {
    const copying: Copying = copyingOf(job);
    const cleaned = how === 'FINISHED' ? { changes: [], events: [] } : await clean(job);
    const forgotten = how === 'FINISHED' ? letTargetRest(job.id, copying, clock.now()) : [forgetJob({ jobId: job.id })];
    if (!restsAfter(how, copying)) return join(cleaned, { changes: forgotten, events: [] });
    const until = clock.now() + copying.rest!;
    const rests = [letRest({ fileId: copying.sourceId, jobId: job.id, until }), forgetUnended({ jobId: job.id })];
    return join(cleaned, { changes: rests, events: [] });
  }

  const restart = async (order: JobOrder) => besideCopy(String(order.memo['sourceId']), order);

  const data = [
    ...['fileId', 'sourceStorageId', 'destinationStorageId', 'destinationFileId', 'limitRate', 'timeRequirement'],
  ];

  return [
    { type: 'COPY_FILE', data, steps, restart, ended },
    { type: 'MOVE_FILE', data, steps: [...steps, removing], restart, ended },
  ];
}
