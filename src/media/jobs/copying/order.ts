import type { Ordered, Wanted } from '../../../jobs/contract.ts';
import type { JobOrder } from '../../../jobs/job-type.ts';
import type { Services } from '../../../room/context.ts';
import { changing, together } from '../../../store/commit-plan.ts';
import type { CommitPlan } from '../../../store/contract.ts';
import { noSuchFile } from '../../files/refusals.ts';
import { type FileRow, fileThere } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { forgetRests, nameFile } from '../store.ts';

export interface CopyWanted {
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

/** A copy as a job, with what callers see of it and what its steps need. */
export function orderedCopy(source: FileRow, wanted: CopyWanted, itemId: string | undefined): Wanted {
  const { moves, storageId, path, limitRate, timeRequirement, rest, forUses } = wanted;
  return {
    type: moves ? 'MOVE_FILE' : 'COPY_FILE',
    data: [
      ['fileId', source.id],
      ['sourceStorageId', source.storageId],
      ['destinationStorageId', storageId],
      ...(itemId === undefined ? [] : [['itemId', itemId] as const]),
      ...(limitRate === undefined ? [] : [['limitRate', String(limitRate)] as const]),
      ...(timeRequirement === undefined ? [] : [['timeRequirement', String(timeRequirement)] as const]),
    ],
    memo: {
      sourceId: source.id,
      storageId,
      moves,
      ...(path !== undefined && { filename: path }),
      ...(limitRate !== undefined && { limitRate }),
      ...(timeRequirement !== undefined && { timeRequirement }),
      ...(rest !== undefined && { rest }),
      ...(forUses && { forUses }),
    },
  };
}

/**
 * Guards and changes in the commit that starts a copy. Source and target storage must exist; the source is protected.
 */
export function besideCopy(fileId: string, { jobId, memo }: Pick<JobOrder, 'jobId' | 'memo'>): CommitPlan {
  const storageId = String(memo['storageId']);
  return changing(
    fileThere({ id: fileId }, noSuchFile(fileId)),
    storageThere({ id: storageId }, noSuchStorage(storageId)),
    forgetRests({ fileId }),
    nameFile({ fileId, jobId }),
  );
}

/** Starts a copy job, in a commit with guards for its source and target. */
export function startCopy(
  { startJob }: Pick<Services, 'startJob'>,
  { id }: FileRow,
  { order, guards }: Ordered,
): CommitPlan {
  return together(changing(...guards), besideCopy(id, order), startJob(order));
}
