import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import { removeAutoImport } from '../../auto-import/store.ts';
import { happened } from '../../events.ts';
import { type FileUses, fileEvent, noUses } from '../../files/states.ts';
import { noSuchStorage } from '../rules.ts';
import { type StorageRow, storageThere } from '../store.ts';
import {
  filesExist,
  forgetStorage,
  forgetStorageFiles,
  leaveGroups,
  markDeleted,
  stopScans,
  storageIsEmpty,
  unused,
} from './store.ts';

/** The storage is gone at once. Work forgets its files, whatever their number; their bytes stay. */
export function deleteStorage({ id }: StorageRow, safe: boolean, now: number): CommitPlan {
  return {
    changes: [
      storageThere({ id }, noSuchStorage(id)),
      ...(safe ? [unused({ id }, stillUsed(id))] : []),
      markDeleted({ id, now }),
      stopScans({ storageId: id }),
      removeAutoImport({ storageId: id }),
      leaveGroups({ id }),
    ],
    events: [happened('storage/delete', id, { storageId: id })],
  };
}

const stillUsed = (id: string): ServiceError =>
  new ServiceError('storage-used', {
    type: 'Storage',
    id,
    explanation: 'Expected a storage without files of items: leave "safe" out to detach them',
  });

interface Gone {
  readonly id: string;
  readonly storageId: string;
}

/** Forgets some files of a deleted storage. `elsewhere`: the refusal where another instance was faster. */
export function forgetSome(
  files: readonly Gone[],
  uses: ReadonlyMap<string, FileUses>,
  elsewhere: ServiceError,
): CommitPlan {
  const ids = files.map(({ id }) => id);
  return {
    changes: [
      filesExist({ ids, count: files.length }, elsewhere),
      ...forgetStorageFiles.map((statement) => statement({ ids })),
    ],
    events: files.map((gone) => fileEvent('file/delete', gone, uses.get(gone.id) ?? noUses)),
  };
}

/** Forgets the storage itself, once it has no files. */
export const forgetLast = (id: string, elsewhere: ServiceError): CommitPlan =>
  changing(
    storageIsEmpty({ id }, elsewhere),
    ...forgetEntity('storage', id),
    ...forgetStorage.map((statement) => statement({ id })),
  );
