import type { Ordered, Wanted } from '../../../jobs/contract.ts';
import type { Services } from '../../../room/context.ts';
import type { CommitPlan } from '../../../store/contract.ts';
import { tellFile, type When } from '../../files/changes/rules.ts';
import { noSuchFile } from '../../files/refusals.ts';
import type { FileUses } from '../../files/states.ts';
import { type FileRow, fileThere } from '../../files/store.ts';
import { nameFile } from '../store.ts';

/** The deletion of a file as a job. */
export function orderedDeletion({ id, storageId }: FileRow, itemId: string | undefined): Wanted {
  return {
    type: 'DELETE_FILE',
    data: [['fileId', id], ['storageId', storageId], ...(itemId === undefined ? [] : [['itemId', itemId] as const])],
    memo: { fileId: id },
  };
}

/** The job, in the commit from which on the file waits for its deletion. */
export function startDeletion(
  { startJob }: Pick<Services, 'startJob'>,
  row: FileRow,
  uses: FileUses,
  { order, guards }: Ordered,
  when: When,
): CommitPlan {
  const { id } = row;
  const job = startJob(order);
  const marked = tellFile(row, { state: 'TO_BE_DELETED' }, uses, when);
  const named = nameFile({ fileId: id, jobId: order.jobId });
  return {
    changes: [...guards, fileThere({ id }, noSuchFile(id)), ...job.changes, named, ...(marked?.changes ?? [])],
    events: [...job.events, ...(marked?.events ?? [])],
  };
}
