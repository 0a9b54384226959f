import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { applyFileValues, type ChangeTime, duesOf } from '../changes/rules.ts';
import { removeUses } from '../changes/store.ts';
import { noSuchFile } from '../refusals.ts';
import { type FileStateName, type FileUses, fileEvent } from '../states.ts';
import { type FileRow, fileThere, fileUnchanged, insertFile, type NewFile } from '../store.ts';
import { copyFileKeys, copyUses, moveExternalIds } from './store.ts';

interface Relocation {
  readonly id: string;
  readonly storageId: string;
  readonly path: string;
  readonly state: FileStateName | undefined;
  /** Keeps both files: components use both, and none is deleted. */
  readonly duplicate: boolean;
}

/**
 * Paths never change: moved bytes belong to another file. Components use the new one, and the old one waits for its
 * deletion. A scan reads the current state of the bytes.
 */
export function relocate(row: FileRow, to: Relocation, uses: FileUses, when: ChangeTime): CommitPlan {
  const { id, storageId, path, duplicate } = to;
  const state = to.state ?? (row.state === 'TO_BE_DELETED' ? 'OPEN' : row.state);
  const hash = state === 'OPEN' ? null : row.hash;
  const fileRow: NewFile = {
    id,
    storageId,
    path,
    state,
    size: row.size,
    modified: row.modified,
    content: null,
    identity: null,
    hash,
    changedAt: when.now,
    timestamp: when.now,
    ...duesOf(state, hash, when),
  };
  const both = { from: row.id, to: id };
  const changed = changedMeanwhile('File', row.id);
  const old = duplicate ? undefined : applyFileValues(row, { state: 'TO_BE_DELETED' }, uses, when);
  return {
    changes: [
      storageThere({ id: storageId }, noSuchStorage(storageId)),
      fileThere({ id: row.id }, noSuchFile(row.id)),
      fileUnchanged(row.id, row.version, changed),
      insertFile(fileRow, changed),
      copyFileKeys(both),
      copyUses(both),
      ...(duplicate ? [] : [removeUses({ fileId: row.id }), moveExternalIds(both)]),
      ...(old?.changes ?? []),
    ],
    events: [fileEvent('file/new', fileRow, uses), ...(old?.events ?? [])],
  };
}
