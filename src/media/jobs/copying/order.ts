import type { Ordered, Wanted } from '../../../jobs/contract.ts';
import type { Offices } from '../../../room/house.ts';
import type { Work } from '../../../store/contract.ts';
import { noSuchFile } from '../../files/refusals.ts';
import { type FileRow, fileThere } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { forgetRests, nameFile } from '../store.ts';

export interface CopyWanted {
  readonly moves: boolean;
  readonly storageId: string;
  /** Below its storage. Undefined: the service invents it. */
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

/** The job, in a commit that holds only as long as both of its ends are there. */
export function startCopy({ startJob }: Pick<Offices, 'startJob'>, { id }: FileRow, { order, guards }: Ordered): Work {
  const { changes, events } = startJob(order);
  const storageId = String(order.memo['storageId']);
  return {
    changes: [
      ...guards,
      fileThere({ id }, noSuchFile(id)),
      storageThere({ id: storageId }, noSuchStorage(storageId)),
      forgetRests({ fileId: id }),
      nameFile({ fileId: id, jobId: order.jobId }),
      ...changes,
    ],
    events,
  };
}
