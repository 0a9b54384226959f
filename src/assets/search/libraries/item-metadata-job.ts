import { ServiceError } from '../../../core/lib/errors.ts';
import { isChanged, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { JobFails, type JobType, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { describeJob, text } from '../../../room/jobs/memo.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { mustHave } from '../../access/public-reading.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import { itemName } from '../../items/contract/entities.ts';
import { unlockedFor } from '../../items/contract/item-locks.ts';
import { itemMustExist } from '../../items/contract/store.ts';
import { type LibraryItem, nextItems } from '../../items/public.ts';
import { expectUnlocked, type MetadataRequest, metadataRequestOf, prepareRequests } from '../../metadata/public.ts';
import { isKept, type MetadataDocumentValue } from '../../metadata/public-reading.ts';
import { callerOfJob } from './callers.ts';
import type { LibraryParts } from './parts.ts';
import { findMetadataJob, moveJob, removeJob } from './store.ts';

export const itemMetadataJob = describeJob('UPDATE_LIBRARY_ITEM_METADATA', {
  memo: { libraryId: text },
  tells: ['libraryId'],
});

/** Items per read. */
const limit = 100;

/** Errors that skip an item: the job continues with the next one. */
const passes: ReadonlySet<string> = new Set([
  ...['not-allowed', 'no-such-entity', 'entity-locked', 'metadata-locked', 'bad-value'],
]);

/** Job that writes one document into the metadata of each item of a library, with a change set and a commit each. */
export function itemMetadataType(parts: LibraryParts): JobType<typeof itemMetadataJob.memo> {
  const { store, clock } = parts;

  /** True: the item changed, or already had the values. */
  async function write(job: LeasedJob, call: Caller, item: LibraryItem, request: MetadataRequest): Promise<boolean> {
    const seen = (written: 0 | 1) =>
      moveJob({ jobId: job.id, itemSerial: item.serial, itemId: item.id, written, skipped: 1 - written });
    try {
      await retryWhenChanged(async () => {
        await mustHave(store, call, itemName, item, 'WRITE');
        const owner = { kind: 'item', id: item.id } as const;
        const { name: by } = subjectOf(call);
        const rights = { asker: await askerOf(call), skipForbidden: false };
        const {
          changes,
          events,
          touches = [],
          fields,
        } = await prepareRequests(parts, owner, [{ by, request }], rights);
        const now = clock.now();
        const guards = [
          itemMustExist(item.id, noSuchEntity(itemName, item.id)),
          unlockedFor(call, item.id, now),
          expectUnlocked(owner, by, fields, now),
        ];
        await store.commit({ changes: [job.mine, ...guards, ...changes, seen(1)], events, touches }, job.actor);
      }, isOvertaken(job));
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || !passes.has(error.code)) throw error;
      await store.commit(changing(job.mine, seen(0)), job.actor);
      return false;
    }
  }

  return {
    ...itemMetadataJob,
    needs: ({ libraryId: id }) => [{ on: 'library', id, level: 'READ' }],
    // Restarts are refused, since the document is deleted after the first run.
    async restart() {
      const explanation = 'Expected the document once more: PUT /library/{id}/item-metadata';
      throw new ServiceError('job-state', { type: 'Job', explanation });
    },
    steps: [
      {
        step: 100,
        description: 'Writing the metadata of the items',
        async run(job) {
          const row = await findMetadataJob(store, { jobId: job.id });
          if (!row) throw new JobFails('Expected the document of the job');
          const call = await callerOfJob(parts, job);
          const request = metadataRequestOf(JSON.parse(row.document) as MetadataDocumentValue, { isIgnored: isKept });
          let { written, skipped } = row;
          let last: LibraryItem = { serial: row.itemSerial, id: row.itemId };
          for (;;) {
            const items = await nextItems(store, row.libraryId, last, limit);
            for (const item of items) {
              job.signal.throwIfAborted();
              if (await write(job, call, item, request)) written++;
              else skipped++;
            }
            if (items.length < limit) break;
            last = items.at(-1)!;
          }
          const says = [`Wrote the metadata of ${written} items, passed over ${skipped}`];
          return { says, warns: skipped > 0 };
        },
      },
    ],
    ended: async (job) => changing(removeJob({ jobId: job.id })),
  };
}

/** Conflict on the item, not on the lease of the job. */
const isOvertaken =
  ({ mine }: LeasedJob) =>
  (error: ServiceError): boolean =>
    isChanged(error) && error !== mine.refusal;
