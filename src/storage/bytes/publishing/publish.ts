import { type Clock, noLongerAwaited } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { type Random, textOfBytes } from '../../../core/lib/random.ts';
import { changedMeanwhile, isChanged, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { type Actor, type CommitPlan, type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import type { StorageDriver, StorageErrorKind, StoredFile } from '../../../spi/index.ts';
import { kindOfFailure, storageRefusal } from '../../drivers.ts';
import { fileTaken, noSuchFile } from '../../files/rules.ts';
import { type FileRow, fileAt, findFile, usesOf } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { abort } from '../transfers/rules.ts';
import { failTransfer, findTransfer, finishTransfer } from '../transfers/store.ts';
import {
  driverMode,
  isRequested,
  type PublicationMode,
  type PublishedState,
  settlePublication,
  type UploadMode,
} from './rules.ts';
import {
  deletePublication,
  extendPublishing,
  fileLives,
  fileWaiting,
  insertPublication,
  type Publication,
  pathFree,
  publicationLeaseHolds,
} from './store.ts';

/** Complete, staged bytes and the path that they will be published at. */
export interface Publishable {
  readonly token: string;
  readonly methodId: string;
  readonly storageId: string;
  readonly path: string;
  readonly fileId: string;
  readonly mode: UploadMode;
  /** State of the file after the publication. */
  readonly state: string;
  readonly size: number;
  readonly hash: string | null;
  readonly digest: string | null;
  /** Null if the bytes came in one request. */
  readonly transferId: string | null;
  /** Id of the job that writes the bytes and finishes its own publication. */
  readonly jobId?: string;
}

/** In whose name the last commit of a publication is made. */
export interface Publisher {
  readonly actor: Actor;
  commit(work: CommitPlan): Promise<unknown>;
  /** Extends the commit of the file's events. Called once the bytes are at their path. */
  readonly also?: {
    plan(fileId: string): Promise<CommitPlan>;
    /** Starts the reads of the plan, for `Store.ahead`. */
    ahead?(): unknown;
  };
}

interface PublishingParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly instanceId: string;
}

/** Milliseconds until another instance takes a publication over. The lease is renewed while the storage works. */
export const publishingLease = 60_000;
/** Milliseconds until a publication is retried after its storage did not answer. */
const pause = 15_000;

/** Failures after which the bytes are certainly not at their path. Other failures leave it unknown. */
const undone: ReadonlySet<StorageErrorKind> = new Set([
  'exists',
  'not-found',
  'denied',
  'no-space',
  'bad-path',
  'unsupported',
]);

/** Id of a job's publication. A job has only one at a time. */
export const publicationOfJob = (jobId: string): string => `job ${jobId}`;

export type Publishing = ReturnType<typeof createPublishing>;

/**
 * Publishes staged bytes: a row is written ahead, the storage renames, and one commit sends the events. After a crash
 * at any point that row tells what is left to do: no file is CLOSED without its bytes, and no bytes are left behind.
 */
export function createPublishing({ store, clock, random, instanceId }: PublishingParts) {
  const system = (changes: readonly Statement[]) => store.commit({ changes, events: [] }, systemActor);
  const lostOf = ({ fileId }: Publication) => changedMeanwhile('File', fileId);
  const leaseGuard = ({ id, instance }: Publication, lost: ServiceError) =>
    publicationLeaseHolds({ id, instance }, lost);
  const leased = (publication: Publication, until: number) => {
    const { id, instance } = publication;
    return system([
      leaseGuard(publication, lostOf(publication)),
      extendPublishing({ id, instance, leaseUntil: until }),
    ]);
  };

  /** `ahead`: what else is written in the commit ahead. */
  async function publish(
    publishable: Publishable,
    driver: StorageDriver,
    by: Publisher,
    ahead: readonly Statement[] = [],
  ): Promise<FileRow> {
    const at = clock.now();
    const { storageId, path, fileId } = publishable;
    const isNew = publishable.mode === 'create';
    const overDeleted = isNew && (await fileWaiting(store, { storageId, path })) !== undefined;
    const mode = overDeleted ? 'recreate' : publishable.mode;
    const { jobId } = publishable;
    // The parts of an upload that is whole stay known by their name: its client asks again.
    const isOnce = isNew && by.also !== undefined && publishable.transferId === null;
    const kind = jobId !== undefined ? 'job-' : isOnce ? 'asked-' : '';
    const publication: Publication = {
      ...publishable,
      mode: `${kind}${mode}` as PublicationMode,
      id: jobId === undefined ? textOfBytes(random.bytes(16)) : publicationOfJob(jobId),
      actor: JSON.stringify(by.actor),
      at,
      instance: instanceId,
      leaseUntil: at + publishingLease,
    };
    const taken = isNew ? fileTaken({ storageId, path }) : changedMeanwhile('File', fileId);
    const place = isNew ? pathFree({ storageId, path, fileId }, taken) : fileLives({ id: fileId }, noSuchFile(fileId));
    const storageGuard = storageThere({ id: storageId }, noSuchStorage(storageId));
    const changes = [storageGuard, place, ...ahead, insertPublication(publication, taken)];
    try {
      await store.commit({ changes, events: [] }, by.actor);
    } catch (error) {
      if (publishable.transferId === null && isCertain(error)) await discard(driver, publishable.token);
      throw error === taken && isNew ? await fileTakenNow(publishable) : error;
    }
    return finish(publication, driver, by);
  }

  /** Finishes a publication, also one of another instance. */
  async function finish(publication: Publication, driver: StorageDriver, by: Publisher): Promise<FileRow> {
    const { path, storageId } = publication;
    const placed = await givePath(publication, driver);
    if ('stored' in placed) return commitOrTakeBack(publication, placed.stored, driver, by);
    const { refused } = placed;
    throw kindOfFailure(refused) === 'exists'
      ? await fileTakenNow(publication)
      : storageRefusal(refused, { storage: storageId, path });
  }

  /**
   * Bytes whose item is refused go again: their client asked for the item, and hears that there is none. Parts of an
   * upload go for a quota alone: their client may come again.
   */
  async function commitOrTakeBack(
    publication: Publication,
    stored: StoredFile,
    driver: StorageDriver,
    by: Publisher,
  ): Promise<FileRow> {
    const gone = noSuchStorage(publication.storageId);
    try {
      return await retryWhenChanged(() => commitFile(publication, stored, by, gone));
    } catch (error) {
      const isRefused = isOverQuota(error) || (isRequested(publication.mode) && error !== gone && isRefusal(error));
      if (by.also && isRefused && driver.remove) await takeBack(publication, stored, driver);
      throw error;
    }
  }

  /** Removes bytes that have their path and no row. */
  async function takeBack(publication: Publication, stored: StoredFile, driver: StorageDriver): Promise<void> {
    const file = await driver.stat(publication.path);
    if (file?.version === stored.version) await driver.remove!(publication.path);
    await undo(publication, undefined);
  }

  /** Gives the bytes their path. Where that cannot be, they are undone. */
  async function givePath(
    publication: Publication,
    driver: StorageDriver,
  ): Promise<{ readonly stored: StoredFile } | { readonly refused: unknown }> {
    const { token, path, mode } = publication;
    try {
      return { stored: await whileLeased(publication, () => driver.publish!(token, path, driverMode(mode))) };
    } catch (error) {
      if (undone.has(kindOfFailure(error))) await undo(publication, driver);
      else await leased(publication, clock.now() + pause);
      return { refused: error };
    }
  }

  /**
   * Resumes a publication of another instance. If the client's request ended with that instance, the bytes are removed:
   * the client got no answer and sends them again.
   */
  async function recover(publication: Publication, driver: StorageDriver, by: Publisher): Promise<void> {
    const { path, storageId, mode } = publication;
    if (!isRequested(mode) || !driver.remove) return void (await finish(publication, driver, by));
    const placed = await givePath(publication, driver);
    if ('refused' in placed) {
      if (undone.has(kindOfFailure(placed.refused))) return;
      throw storageRefusal(placed.refused, { storage: storageId, path });
    }
    const { stored } = placed;
    // A concurrent scan or upload has made a file of the bytes.
    if (await fileAt(store, { storageId, path }))
      return void (await retryWhenChanged(() => commitFile(publication, stored, by, noSuchStorage(storageId))));
    await takeBack(publication, stored, driver);
  }

  /** The rows and events of bytes that have their path. `gone`: thrown if their storage was deleted. */
  async function commitFile(
    publication: Publication,
    stored: StoredFile,
    by: Publisher,
    gone: ServiceError,
  ): Promise<FileRow> {
    const { id, storageId, transferId } = publication;
    const now = clock.now();
    const lost = lostOf(publication);
    store.ahead(() => [by.also?.ahead?.(), findFile(store, { id: publication.fileId })]);
    const settled = settlePublication(publication, await publishedState(publication, stored, now));
    const fileId = settled?.fileId ?? null;
    const ended = transferId === null ? [] : [finishTransfer({ id: transferId, fileId, now })];
    const mine = [leaseGuard(publication, lost), deletePublication({ id })];
    const storageGuard = storageThere({ id: storageId }, gone);
    try {
      const plan = {
        changes: [...mine, storageGuard, ...(settled?.work.changes ?? []), ...ended],
        events: settled?.work.events ?? [],
        touches: [{ kind: 'file', id: publication.fileId, aspect: 'published' }],
      };
      const also = settled && (await by.also?.plan(settled.fileId));
      await by.commit(also ? together(plan, also) : plan);
    } catch (error) {
      if (error === lost) return fileOfOtherInstance(publication, stored, lost);
      // The bytes of a storage that was deleted stay where they are.
      if (error === gone)
        await system([...mine, ...(transferId === null ? [] : [failTransfer({ id: transferId, now })])]);
      throw error;
    }
    if (settled) return settled.row;
    throw noSuchFile(publication.fileId);
  }

  async function publishedState(
    { storageId, path, fileId }: Publication,
    stored: StoredFile,
    now: number,
  ): Promise<PublishedState> {
    const row = await fileAt(store, { storageId, path });
    if (row) {
      const uses = await usesOf(store, { ids: [row.id] });
      const shapeId = [...new Set(uses.map((use) => use.shapeId))];
      const itemId = [...new Set(uses.map((use) => use.itemId))];
      return { stored, row, uses: { shapeId, itemId }, newId: fileId, now };
    }
    // The row that was made with the first part of an upload may wait for its deletion.
    const isUsed = (await findFile(store, { id: fileId })) !== undefined;
    const newId = isUsed ? await store.nextId('file') : fileId;
    return { stored, row, uses: { shapeId: [], itemId: [] }, newId, now };
  }

  /** Row of the file, if another instance has committed the same publication already. Else rethrows the conflict. */
  async function fileOfOtherInstance(
    { storageId, path }: Publication,
    stored: StoredFile,
    lost: ServiceError,
  ): Promise<FileRow> {
    const row = await fileAt(store, { storageId, path });
    if (row?.content === stored.version) return row;
    throw lost;
  }

  /** Deletes the row before the bytes: bytes with a row are certainly staged or published. */
  async function undo(publication: Publication, driver: StorageDriver | undefined): Promise<void> {
    const { id, transferId, token } = publication;
    await retryWhenChanged(async () => {
      const row = transferId === null ? undefined : await findTransfer(store, { id: transferId });
      const file = row && row.fileId !== null ? await findFile(store, { id: row.fileId }) : undefined;
      const failed = row ? abort(row, file, clock.now(), 'FAILED') : changing();
      const ended = changing(leaseGuard(publication, lostOf(publication)), deletePublication({ id }));
      await store.commit(together(ended, failed), systemActor);
    });
    if (driver && transferId === null) await discard(driver, token);
  }

  async function fileTakenNow({ storageId, path }: { readonly storageId: string; readonly path: string }) {
    const row = await fileAt(store, { storageId, path });
    return fileTaken({ storageId, path, ...(row && { fileId: row.id }) });
  }

  async function whileLeased<T>(publication: Publication, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const moving = (async () => {
      for (;;) {
        await clock.sleep(publishingLease / 3, over.signal);
        await leased(publication, clock.now() + publishingLease);
      }
    })().catch(() => undefined);
    try {
      return await work();
    } finally {
      over.abort(noLongerAwaited);
      await moving;
    }
  }

  return { publish, finish, recover, undo };
}

/** A database that cannot be reached may have committed all the same. */
export const isCertain = (error: unknown): boolean =>
  error instanceof ServiceError && error.code !== 'store-unavailable' && error.code !== 'internal';

const isOverQuota = (error: unknown): boolean => error instanceof ServiceError && error.code === 'quota-exceeded';

/** Whether a commit was refused for good. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.status >= 400 && error.status < 500 && !isChanged(error);

/** Bytes that stay after a storage failure are discarded by the sweep. */
export const discard = async (driver: StorageDriver, token: string): Promise<void> => {
  await driver.discard?.(token).catch(() => undefined);
};
