import { badValue } from '../../../documents/bad-value.ts';
import { forgetEntity } from '../../../entities/forget.ts';
import { checkName } from '../../../identity/public-reading.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { CommitPlan } from '../../../store/contract.ts';
import { noSuchStorage } from '../rules.ts';
import { storageThere } from '../store.ts';
import { addStorageToGroup, groupMustExist, insertStorageGroup, removeGroup, removeStorageFromGroup } from './store.ts';

/** Creates the group, unless it exists. */
export function createStorageGroup(name: string, now: number): CommitPlan {
  checkName(name, 'path');
  // In lists of names a leading hyphen means "not", and a comma separates.
  if (name.startsWith('-') || name.includes(',')) throw badValue('path', 'no comma, and no hyphen in front', name);
  return { changes: [insertStorageGroup({ name, now })], events: [] };
}

export const deleteStorageGroup = (name: string): CommitPlan => ({
  changes: [
    groupMustExist(name, noSuchStorageGroup(name)),
    ...removeGroup.map((statement) => statement({ name })),
    ...forgetEntity('storage-group', name),
  ],
  events: [],
});

export const joinStorageGroup = (name: string, storageId: string): CommitPlan => ({
  changes: [...bothThere(name, storageId), addStorageToGroup({ name, storageId })],
  events: [],
});

export const leaveStorageGroup = (name: string, storageId: string): CommitPlan => ({
  changes: [...bothThere(name, storageId), removeStorageFromGroup({ name, storageId })],
  events: [],
});

const bothThere = (name: string, storageId: string) => [
  groupMustExist(name, noSuchStorageGroup(name)),
  storageThere({ id: storageId }, noSuchStorage(storageId)),
];

export const noSuchStorageGroup = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-group', id: name.slice(0, 80) });
