import { mayWrite } from '../../assets/access/public.ts';
import { itemName } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { changing, nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { JobFails, type JobType, JobWaits, type LeasedJob, type StepWaits } from '../../room/jobs/job-type.ts';
import { describeJob, type JobMemo, listOf, number, optional, text } from '../../room/jobs/memo.ts';
import { changeFile, jobError, usesOfFile, waitsForFile } from '../../storage/public.ts';
import { type FileRow, findFile } from '../../storage/public-reading.ts';
import { type ArchivedFile, type ArchiveParts, askArchive } from './archived.ts';

export const restoreJob = describeJob('RESTORE', {
  memo: {
    fileIds: listOf(text),
    /** Undefined: the files were named themselves. */
    itemId: optional(text),
    expirationInDays: number,
    /** Undefined: the default of each storage. */
    retrievalTier: optional(text),
    /** Files that cannot be read yet. */
    left: listOf(text),
    /** When the archive is asked again. */
    lookAt: optional(number),
    /** Milliseconds between two questions. */
    pause: optional(number),
  },
  tells: ['itemId', 'fileIds', 'expirationInDays', 'retrievalTier'],
});
type RestoreMemo = JobMemo<typeof restoreJob>;

/** Part of the longest time of a restore after which the archive is asked again. */
const looks = 48;
const [shortest, longest] = [2_000, 15 * 60_000];

const pauseOf = ({ most }: { readonly most: number }): number =>
  Math.max(shortest, Math.min(longest, (most * 1000) / looks));

const isBack = ({ archive: { state } }: ArchivedFile): boolean => state === 'readable' || state === 'restored';

/** Speed of a file: that of the order, or the default of its class. */
export const tierOf = ({ tiers }: ArchivedFile, wanted: string | undefined) =>
  wanted === undefined ? tiers[0] : tiers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());

/** Asks archives for files, and waits until they can be read. */
export function restoreType(parts: ItemsContext & ArchiveParts): JobType<typeof restoreJob.memo> {
  const { store, clock } = parts;

  /** Files that still wait. One that was deleted meanwhile needs no restore. */
  async function* askedOf(ids: readonly string[], { signal }: LeasedJob): AsyncGenerator<ArchivedFile> {
    for (const id of ids) {
      signal.throwIfAborted();
      const row = await findFile(store, { id });
      if (!row || row.state === 'TO_BE_DELETED') continue;
      try {
        yield await askArchive(parts, row);
      } catch (error) {
        throw jobError(error, row.storageId);
      }
    }
  }

  const waiting = ({ left, pause = shortest }: Pick<RestoreMemo, 'left' | 'pause'>): StepWaits<RestoreMemo> => ({
    ...waitsForFile('FileArchived', left[0] ?? ''),
    memo: { left, lookAt: clock.now() + pause },
  });

  async function closed(row: FileRow): Promise<CommitPlan> {
    if (row.state !== 'ARCHIVED') return nothing;
    const now = clock.now();
    const to = { state: 'CLOSED', hashDue: row.hash === null ? now : null, timestamp: now };
    return changeFile(row, to, await usesOfFile(store, row.id));
  }

  return {
    ...restoreJob,
    needs: ({ itemId }) => (itemId === undefined ? [] : [{ on: 'item', id: itemId, level: 'WRITE' }]),
    async restart({ memo: { itemId }, caller }) {
      if (itemId !== undefined) await mayWrite(store, caller, itemName, { id: itemId });
      return nothing;
    },
    steps: [
      {
        step: 100,
        description: 'Asking the archive',
        async run(job) {
          const { fileIds, expirationInDays: days, retrievalTier } = job.memo;
          const left: string[] = [];
          let pause = longest;
          for await (const file of askedOf(fileIds, job)) {
            const { row, driver, archive } = file;
            if (archive.state === 'readable') continue;
            left.push(row.id);
            const tier = tierOf(file, retrievalTier);
            if (!tier) throw new JobFails(`Expected a tier of ${archive.storageClass}: "${retrievalTier ?? ''}"`);
            pause = Math.min(pause, pauseOf(tier));
            if (archive.state === 'restoring') continue;
            const options = { days, tier: tier.name, signal: job.signal };
            await driver.restore(row.path, options).catch((error: unknown) => {
              throw jobError(error, row.storageId);
            });
            job.subStep(`${row.id}: ${tier.name}, ${archive.storageClass}`);
          }
          const says = left.length === 0 ? ['No file is in an archive'] : [];
          return { memo: { left, pause, lookAt: clock.now() + pause }, says };
        },
      },
      {
        step: 200,
        description: 'Waiting for the archive',
        async waits(job) {
          const { left, lookAt = 0, pause } = job.memo;
          if (left.length === 0) return undefined;
          if (clock.now() < lookAt) return waitsForFile('FileArchived', left[0]!);
          for await (const file of askedOf(left, job)) if (isBack(file)) return undefined;
          return waiting({ left, pause });
        },
        async run(job) {
          const left: string[] = [];
          let work = changing();
          for await (const file of askedOf(job.memo.left, job)) {
            if (isBack(file)) work = together(work, await closed(file.row));
            else left.push(file.row.id);
          }
          if (left.length === 0) return { work, memo: { left } };
          await store.commit(together(changing(job.mine), work), job.actor);
          throw new JobWaits(waiting({ left, pause: job.memo.pause }));
        },
      },
    ],
  };
}
