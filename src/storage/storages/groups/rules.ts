import { badValue } from '../../../core/documents/bad-value.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { checkName } from '../../../identity/public-reading.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import { noSuchStorage } from '../rules.ts';
import { storageThere } from '../store.ts';
import { addStorageToGroup, groupMustExist, insertStorageGroup, removeGroup, removeStorageFromGroup } from './store.ts';

/** Creates the group, unless it exists. */
export function createStorageGroup(name: string, now: number): CommitPlan {
  checkName(name, 'path');
  // In lists of names a leading hyphen means "not", and a comma separates.
  if (name.startsWith('-') || name.includes(',')) throw badValue('path', 'no comma, and no hyphen in front', name);
  return changing(insertStorageGroup({ name, now }));
}

export const deleteStorageGroup = (name: string): CommitPlan =>
  changing(
    groupMustExist(name, noSuchStorageGroup(name)),
    ...removeGroup.map((statement) => statement({ name })),
    ...forgetEntity('storage-group', name),
  );

export const joinStorageGroup = (name: string, storageId: string): CommitPlan =>
  changing(...bothThere(name, storageId), addStorageToGroup({ name, storageId }));

export const leaveStorageGroup = (name: string, storageId: string): CommitPlan =>
  changing(...bothThere(name, storageId), removeStorageFromGroup({ name, storageId }));

const bothThere = (name: string, storageId: string) => [
  groupMustExist(name, noSuchStorageGroup(name)),
  storageThere({ id: storageId }, noSuchStorage(storageId)),
];

export const noSuchStorageGroup = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-group', id: name.slice(0, 80) });
