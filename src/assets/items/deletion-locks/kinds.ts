import type { Reader } from '../../../core/store/statement.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { isTellableTo, mustHaveLocked } from './rights.ts';
import { type DeletionLockRow, deletionLockMustExist, entityOf, findDeletionLock, lockType } from './store.ts';

export const deletionLockKind = (reader: Reader): EntityKind<DeletionLockRow> => ({
  type: lockType,
  noun: 'DeletionLock',
  find: (id) => findDeletionLock(reader, { id }),
  mustExist: deletionLockMustExist,
  mayRead: (call, lock) => mustHaveLocked(reader, call, entityOf(lock), 'READ'),
  readableBy: (user, lock) => isTellableTo(reader, user, entityOf(lock)),
});
