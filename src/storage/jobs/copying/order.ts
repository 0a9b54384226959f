import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { NewJob, StartedJob } from '../../../room/jobs/contract.ts';
import { describeJob, flag, type JobMemo, number, optional, text } from '../../../room/jobs/memo.ts';
import { noSuchFile } from '../../files/rules.ts';
import { type FileRow, fileThere } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { forgetRests, nameFile } from '../store.ts';

export interface CopyRequest {
  readonly moves: boolean;
  readonly storageId: string;
  /** Path on its storage. Undefined: generated. */
  readonly path?: string | undefined;
  readonly limitRate?: number | undefined;
  readonly timeRequirement?: number | undefined;
  /** Milliseconds until a move that failed is tried again by itself. */
  readonly rest?: number | undefined;
  /** The copy is of use only to components: without one that has the source the job fails. */
  readonly forUses?: boolean | undefined;
}

const description = {
  memo: {
    /** Source of the copy. */
    fileId: text,
    sourceStorageId: text,
    destinationStorageId: text,
    itemId: optional(text),
    /** Target path wanted by the caller. Undefined: a generated path. */
    filename: optional(text),
    /** Bytes a second. */
    limitRate: optional(number),
    /** Milliseconds until a failed move is retried automatically. Undefined: never. */
    rest: optional(number),
    /** Seconds for which storage rules leave the new file alone. */
    timeRequirement: optional(number),
    /** Whether the copy fails if no component has the source. */
    forUses: flag,
    destinationFileId: optional(text),
    /** Whether all bytes are at their path. */
    isWritten: flag,
    /** Whether components have the new file. */
    isShared: flag,
    sourceHash: optional(text),
  },
  tells: [
    ...['fileId', 'sourceStorageId', 'destinationStorageId', 'itemId', 'limitRate', 'timeRequirement'],
    'destinationFileId',
  ],
  takesItem: true,
};
export const fileCopy = describeJob('COPY_FILE', description);
export const fileMove = describeJob('MOVE_FILE', description);
export type CopyMemo = JobMemo<typeof fileCopy>;

/** Copy or move of a file as a job. */
export const copyOf = (
  source: FileRow,
  { moves, storageId, path, limitRate, timeRequirement, rest, forUses }: CopyRequest,
  itemId: string | undefined,
): NewJob<typeof description.memo> => ({
  job: moves ? fileMove : fileCopy,
  memo: {
    ...{ fileId: source.id, sourceStorageId: source.storageId, destinationStorageId: storageId, itemId },
    ...{ filename: path, limitRate, timeRequirement, rest, forUses },
  },
});

/**
 * Guards and changes in the commit that starts a copy. Source and target storage must exist; the source is protected.
 */
export function reserveCopy(
  jobId: string,
  { fileId, destinationStorageId: storageId }: Pick<CopyMemo, 'fileId' | 'destinationStorageId'>,
): CommitPlan {
  return changing(
    fileThere({ id: fileId }, noSuchFile(fileId)),
    storageThere({ id: storageId }, noSuchStorage(storageId)),
    forgetRests({ fileId }),
    nameFile({ fileId, jobId }),
  );
}

/** Commit that starts a copy, with guards for its source and target. */
export const startCopy = (
  { memo }: NewJob<typeof description.memo>,
  { jobId, work }: StartedJob,
  guards: readonly Statement[] = [],
): CommitPlan => together(changing(...guards), reserveCopy(jobId, memo), work);
