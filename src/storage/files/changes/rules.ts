import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { setKeyValues } from '../../../room/entities/key-values/store.ts';
import { notInJobs } from '../../jobs/store.ts';
import { notRemoving } from '../deletion/store.ts';
import { type FileStateName, type FileUses, fileEvent, hashKey, noSuchFile } from '../rules.ts';
import {
  deleteRow,
  type FileRow,
  fileThere,
  fileUnused,
  type NewFile,
  removeUses,
  removeUsesOfItem,
  updateFile,
} from '../store.ts';

/** Values that a caller gives for a file written by another program. */
export interface ClientFileValues {
  readonly state?: FileStateName | undefined;
  readonly size?: number | undefined;
  readonly hash?: string | undefined;
}

export interface ChangeTime {
  readonly now: number;
  /** Milliseconds that the bytes of a deleted file wait. */
  readonly grace: number;
}

/** When the row has to be hashed or deleted in a state. */
export const duesOf = (state: string, hash: string | null, { now, grace }: ChangeTime) => ({
  hashDue: state === 'CLOSED' && hash === null ? now : null,
  deleteDue: state === 'TO_BE_DELETED' ? now + grace : null,
});

/** Changes of a file by values of a caller. Undefined: no change. Each new state sends an event. */
export function applyFileValues(
  row: FileRow,
  values: ClientFileValues,
  uses: FileUses,
  when: ChangeTime,
): CommitPlan | undefined {
  const state = values.state ?? row.state;
  const isOther = state !== row.state;
  const isResized = values.size !== undefined && values.size !== row.size;
  // The hash belongs to replaced bytes, or to a file that is about to be written.
  const keptHash = isResized || (isOther && state === 'OPEN') ? null : row.hash;
  const hash = values.hash ?? keptHash;
  const isHashed = values.hash !== undefined && values.hash !== row.hash;
  if (!isOther && !isResized && !isHashed) return undefined;
  const to: Partial<NewFile> = {
    state,
    size: values.size ?? row.size,
    hash,
    digest: hash === null ? null : row.digest,
    ...duesOf(state, hash, when),
    ...(isOther ? {} : { deleteDue: row.deleteDue }),
    ...(isResized && { changedAt: when.now }),
    timestamp: when.now,
  };
  const events = [
    ...(isOther || isResized
      ? [fileEvent(isOther && state === 'CLOSED' ? 'file/close' : 'file/change', row, uses)]
      : []),
    ...(isHashed ? [fileEvent('file/hash', row, uses)] : []),
  ];
  const { id } = row;
  const staying = row.state === 'TO_BE_DELETED' && isOther ? [notRemoving({ id }, beingRemoved(id))] : [];
  return {
    changes: [fileThere({ id }, noSuchFile(id)), ...staying, ...updateFile(row, to, changedMeanwhile('File', id))],
    events,
  };
}

const beingRemoved = (id: string): ServiceError =>
  new ServiceError('file-busy', {
    type: 'File',
    id,
    explanation: 'Expected a file whose bytes are not removed just now',
  });

/** The hash of another algorithm. */
export function setClientHash(
  row: FileRow,
  algorithm: string,
  hash: string,
  uses: FileUses,
  mostBytes: number,
): CommitPlan {
  const { id } = row;
  const pairs = [[hashKey(algorithm), hash]] as const;
  return {
    changes: [fileThere({ id }, noSuchFile(id)), ...setKeyValues('file', id, { pairs, mostBytes }, false)],
    events: [fileEvent('file/hash', row, uses)],
  };
}

/** Forgets a file that nothing uses. Its bytes stay. */
export function forgetFile(row: FileRow): CommitPlan {
  const { id } = row;
  return {
    changes: [
      fileThere({ id }, noSuchFile(id)),
      fileUnused({ id }, stillUsed(id)),
      notInJobs({ fileId: id, jobId: '' }, inJob(id)),
      ...forgetEntity('file', id),
      deleteRow({ id }),
    ],
    events: [fileEvent('file/delete', row)],
  };
}

const inJob = (id: string): ServiceError =>
  new ServiceError('file-busy', { type: 'File', id, explanation: 'Expected a file that no job reads or writes' });

const stillUsed = (id: string): ServiceError =>
  new ServiceError('file-used', {
    type: 'File',
    id,
    explanation: 'Expected a file that no component uses: abandon it first',
  });

/** Takes a file from the components of an item, or of all items. They stay. */
export function abandonFile(row: FileRow, uses: FileUses, item: string | undefined): CommitPlan {
  const { id } = row;
  return {
    changes: [
      fileThere({ id }, noSuchFile(id)),
      item === undefined ? removeUses({ fileId: id }) : removeUsesOfItem({ fileId: id, itemId: item }),
    ],
    events: [fileEvent('file/change', row, uses)],
  };
}
