import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import { type StorageDrivers, storageRefusal } from '../../drivers.ts';
import { forgetFileJobs, notInJobs } from '../../jobs/store.ts';
import { afterMove } from '../../storages/rules.ts';
import { methodsOf } from '../../storages/store.ts';
import { usesOfFile } from '../entity.ts';
import { type FileUses, fileEvent, unable } from '../rules.ts';
import { deleteRow, type FileRow, fileAt, fileUnchanged } from '../store.ts';
import { lockPath, pathLocked, unlockPath } from './store.ts';

/** The id of the row that keeps others from the path of a file while its bytes go. */
const fileRemoval = (fileId: string): string => `remove ${fileId}`;

/** A file is gone, its bytes too. `jobId`: the job that does it, which may name the file. */
function forgetDeleted(row: FileRow, uses: FileUses, jobId: string, elsewhere: ServiceError): CommitPlan {
  const { id, version, storageId } = row;
  return {
    changes: [
      fileUnchanged(id, version, elsewhere),
      notInJobs({ fileId: id, jobId }, elsewhere),
      ...forgetEntity('file', id),
      forgetFileJobs({ fileId: id }),
      deleteRow({ id }),
      afterMove(storageId),
    ],
    events: [fileEvent('file/delete', row, uses)],
  };
}

const changedWhileRemoved = (id: string): ServiceError => changedMeanwhile('File', id);

/** Milliseconds after each refusal of a storage: a minute at first, an hour at most. */
export const pauseAfter = (refusals: number): number => Math.min(60_000 * 2 ** Math.min(refusals - 1, 10), 3_600_000);

export interface RemoveParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: StorageDrivers;
  readonly instanceId: string;
}

/** Milliseconds until another instance may go on with a removal. */
const leaseTime = 60_000;

/** Thrown if another instance removes the file, or an upload writes to its path. */
export const pathBusy = new ServiceError('file-busy', {
  type: 'File',
  explanation: 'Expected a path that nobody writes to',
});

/**
 * Removes the bytes of a file that waits for its deletion, and its row. A row that keeps others from the path is written
 * ahead, so that a new file at the path never loses its bytes. Wherever the process stops, the file still waits.
 * `commit`: makes the last commit.
 */
export async function removeFile(
  parts: RemoveParts,
  row: FileRow,
  jobId: string,
  commit: (work: CommitPlan) => Promise<unknown>,
): Promise<void> {
  const { store, clock, instanceId } = parts;
  const { id: fileId, storageId, path } = row;
  const id = fileRemoval(fileId);
  const at = clock.now();
  const until = at + leaseTime;
  const mine: Statement = pathLocked({ id, instance: instanceId, leaseUntil: until }, pathBusy);
  const lock = lockPath({ id, storageId, path, fileId, instance: instanceId, at, until }, pathBusy);
  await store.commit(changing(lock, mine), systemActor);
  try {
    // The bytes at the path are those of another file by now.
    if (!(await fileAt(store, { storageId, path }))) await removeBytes(parts, row);
    const work = forgetDeleted(row, await usesOfFile(store, fileId), jobId, changedWhileRemoved(fileId));
    await commit({ ...work, changes: [mine, ...work.changes, unlockPath({ id })] });
  } catch (error) {
    await store.commit(changing(mine, unlockPath({ id })), systemActor).catch(() => undefined);
    throw error;
  }
}

/** New bytes at the path stay: a scan finds them. */
async function removeBytes({ store, places }: RemoveParts, { storageId, path, content }: FileRow): Promise<void> {
  let refusal: unknown;
  for (const method of await methodsOf(store, { id: storageId })) {
    if (method.write === 0) continue;
    try {
      const driver = await places.of(method);
      if (driver.remove) return await removeFrom(driver, path, content);
    } catch (error) {
      refusal ??= storageRefusal(error, { storage: storageId, path });
    }
  }
  throw refusal ?? unable(storageId, `Expected a storage with a method that can delete ${path}`);
}

async function removeFrom(driver: StorageDriver, path: string, content: string | null): Promise<void> {
  const stored = await driver.stat(path);
  if (stored && (content === null || stored.version === content)) await driver.remove!(path);
}
