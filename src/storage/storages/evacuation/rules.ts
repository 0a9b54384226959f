import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { forgetRestsOf } from '../../jobs/store.ts';
import { endEvacuation, type StorageRow, updateStorage } from '../store.ts';

const nothing: CommitPlan = changing();

/** No new file comes to the storage from now on, and its files move to others. `hasOther`: there is one to move to. */
export function beginEvacuation(row: StorageRow, hasOther: boolean): CommitPlan {
  if (isEvacuating(row)) return nothing;
  if (!hasOther) throw noOtherStorage(row.id);
  const { changes, events } = changeState(row, 'EVACUATING');
  return { changes: [...changes, forgetRestsOf({ storageId: row.id })], events };
}

/** Files that have moved stay where they are. */
export const cancelEvacuation = (row: StorageRow): CommitPlan =>
  isEvacuating(row) ? changeState(row, 'READY') : nothing;

/** For the commit of whatever takes a file away: with the last one the evacuation has ended. */
export const afterMove = (storageId: string): Statement => endEvacuation({ id: storageId });

const isEvacuating = ({ state }: StorageRow): boolean => state === 'EVACUATING' || state === 'EVACUATED';

const changeState = (row: StorageRow, state: string): CommitPlan => ({
  changes: updateStorage(row, { state }, changedMeanwhile('Storage', row.id)),
  events: [],
});

const noOtherStorage = (id: string): ServiceError =>
  new ServiceError('no-other-storage', {
    type: 'Storage',
    id,
    explanation: 'Expected another storage of the type LOCAL with a method that writes',
  });
