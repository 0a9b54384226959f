import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { mustHave } from '../access/access.ts';
import { isReadableBy } from '../access/viewer.ts';
import { collectionName } from '../collections/kinds.ts';
import { itemName } from '../items/kinds.ts';
import { libraryName } from '../libraries/kinds.ts';
import { type DeletionLockRow, deletionLockMustExist, findDeletionLock, lockType } from './store.ts';

/** Files have no access entries: the roles of locks decide. */
const guarded = [itemName, collectionName, libraryName];

export const deletionLockKind = (reader: Reader): EntityKind<DeletionLockRow> => ({
  type: lockType,
  noun: 'DeletionLock',
  find: (id) => findDeletionLock(reader, { id }),
  mustExist: deletionLockMustExist,
  async mayRead(call, lock) {
    const kind = guarded.find(({ type }) => type === lock.entityType);
    if (kind) await mustHave(reader, call, kind, { id: lock.entityId }, 'READ');
  },
  async readableBy(user, { entityType: type, entityId: id }) {
    return !guarded.some((kind) => kind.type === type) || isReadableBy(reader, user, { type, id });
  },
});
