import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { nothing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { findEntity, noSuchEntity } from '../../../room/entities/find.ts';
import { JobFails, type JobType } from '../../../room/jobs/job-type.ts';
import { describeJob, listOf, text } from '../../../room/jobs/memo.ts';
import type { Caller } from '../../../security/caller.ts';
import { forgetAccess } from '../../access/public.ts';
import { mustHave } from '../../access/public-reading.ts';
import {
  findLibrary,
  forgetDeletionLocks,
  itemEvent,
  leaveCollections,
  libraryKind,
  libraryMustExist,
  libraryName,
  parentCollections,
  deletable as unlocked,
} from '../../items/public.ts';
import { callerOfJob } from './callers.ts';
import type { LibraryParts } from './parts.ts';
import { removeLibrary } from './store.ts';

/** Deletes libraries in one commit. Their items stay. `find` is called again on retries. */
export async function deleteLibraries(
  parts: LibraryParts,
  caller: Caller,
  find: () => Promise<readonly string[]>,
): Promise<void> {
  await caller.change(async () => {
    const ids = await find();
    return ids.length > 0 ? deletionsOf(parts, ids) : undefined;
  });
}

/** Ids of named libraries. Unknown names are ignored. 403 if the caller may not delete all of the others. */
export async function deletable(
  { store }: Pick<LibraryParts, 'store'>,
  caller: Caller,
  names: readonly string[],
): Promise<readonly string[]> {
  const ids = await askEach([...new Set(names)], async (name) => {
    const row = await findEntity(store, libraryKind(store), name);
    if (row) await mustHave(store, caller, libraryName, row, 'ALL', undefined, name);
    return row?.id;
  });
  return [...new Set(ids.flatMap((id) => id ?? []))];
}

async function deletionsOf(parts: Pick<LibraryParts, 'store' | 'clock'>, ids: readonly string[]): Promise<CommitPlan> {
  const works = await askEach(ids, (id) => deletionOf(parts, id));
  const work = together(...works);
  // Merges events of collections that lose several libraries.
  const events = [...new Map(work.events.map((each) => [`${each.name} ${each.entityId}`, each])).values()];
  return { ...work, events };
}

/** Deletes a library with all dependent data. */
export async function deletionOf(
  { store, clock }: Pick<LibraryParts, 'store' | 'clock'>,
  id: string,
): Promise<CommitPlan> {
  const { type } = libraryName;
  const collections = await parentCollections(store, { type, id });
  const locks = await forgetDeletionLocks(store, type, id);
  return {
    changes: [
      libraryMustExist(id, noSuchEntity(libraryName, id)),
      unlocked(libraryName, id, clock.now()),
      ...leaveCollections({ type, id }, collections, changedMeanwhile('Library', id)),
      ...removeLibrary.map((statement) => statement({ id })),
      forgetAccess(type, id),
      ...forgetEntity(type, id),
      ...locks.changes,
    ],
    events: [
      ...locks.events,
      ...collections.map((each) => itemEvent('collection/modify', each, { collectionId: each })),
    ],
    touches: [
      { kind: 'library', id, aspect: 'owner' },
      ...collections.map((each) => ({ kind: 'collection', id: each, aspect: 'members' })),
    ],
  };
}

export const libraryDeletion = describeJob('DELETE_LIBRARY', {
  memo: { libraryId: listOf(text) },
  tells: ['libraryId'],
});

/** Job that deletes libraries in one commit. Libraries deleted meanwhile are skipped. */
export function libraryDeletionType(parts: LibraryParts): JobType<typeof libraryDeletion.memo> {
  return {
    ...libraryDeletion,
    // The step asks for the rights on each library.
    restart: async () => nothing,
    steps: [
      {
        step: 100,
        description: 'Deleting libraries',
        async run(job) {
          const call = await callerOfJob(parts, job);
          const readableIds: string[] = [];
          for (const id of job.memo.libraryId) {
            const row = await findLibrary(parts.store, { id });
            if (!row) continue;
            // Rights may have been revoked since the request.
            await mustHave(parts.store, call, libraryName, row, 'ALL').catch((error: unknown) => {
              throw error instanceof ServiceError ? new JobFails(`Expected the right to delete ${id}`) : error;
            });
            readableIds.push(id);
          }
          return { work: await deletionsOf(parts, readableIds), says: [`Deleted ${readableIds.length} libraries`] };
        },
      },
    ],
  };
}
