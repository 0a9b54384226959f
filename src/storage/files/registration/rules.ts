import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { type KeyValues, setKeyValues } from '../../../room/entities/key-values/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { applyFileValues, type ChangeTime, type ClientFileValues, duesOf } from '../changes/rules.ts';
import { type FileUses, newFile } from '../states.ts';
import type { FileRow, NewFile } from '../store.ts';

/** File registered by a caller. */
export interface Registration extends ClientFileValues {
  readonly storageId: string;
  readonly path: string;
  readonly metadata: KeyValues;
}

/** Row for a file whose bytes will come, or exist already. */
export function registerFile(id: string, told: Registration, when: ChangeTime): CommitPlan {
  const { storageId, path, state = 'NONE', size = null, hash = null, metadata } = told;
  const row: NewFile = {
    id,
    storageId,
    path,
    state,
    size,
    hash,
    modified: null,
    content: null,
    identity: null,
    changedAt: when.now,
    timestamp: when.now,
    ...duesOf(state, hash, when),
  };
  const { changes, events } = newFile(row, changedMeanwhile('File', id));
  const values = setKeyValues('file', id, metadata, false);
  return { changes: [storageThere({ id: storageId }, noSuchStorage(storageId)), ...changes, ...values], events };
}

/** Changes for a file that is registered already. Undefined: no change. */
export function registerAgain(
  row: FileRow,
  told: Registration,
  uses: FileUses,
  when: ChangeTime,
): CommitPlan | undefined {
  const { changes, events } = applyFileValues(row, told, uses, when) ?? changing();
  const values = setKeyValues('file', row.id, told.metadata, false);
  return changes.length + values.length === 0 ? undefined : { changes: [...changes, ...values], events };
}
