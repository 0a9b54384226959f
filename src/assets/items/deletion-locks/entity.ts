import type { Reader } from '../../../core/store/statement.ts';
import type { EntityKind, KindName } from '../../../room/entity.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { readableAmong } from '../../access/public.ts';
import {
  accessOf,
  isReadableBy,
  mustHave,
  notYours,
  type RequiredLevel,
  type Viewer,
} from '../../access/public-reading.ts';
import { filesHaving, itemsWithFile } from '../../shapes/public.ts';
import { collectionName, itemName } from '../contract/entities.ts';
import { libraryName } from '../library-entity.ts';
import type { Protected } from './documents.ts';
import { type DeletionLockRow, deletionLockMustExist, entityOf, findDeletionLock, lockType } from './store.ts';

/** Kinds with access entries. For files, the entries of their items count. */
const guarded: readonly KindName[] = [itemName, collectionName, libraryName];

/** Refuses callers without the level on the locked entity. */
export async function mustHaveLocked(
  reader: Reader,
  call: Caller,
  { type, id }: Protected,
  level: RequiredLevel,
): Promise<void> {
  const kind = guarded.find((each) => each.type === type);
  if (kind) return mustHave(reader, call, kind, { id }, level);
  if (!(await mayUseFile(reader, call, id, level))) throw foreignLock(id, level);
}

/** Whether the caller may use a file. For files without items, roles decide, and there is no owner. */
export async function mayUseFile(reader: Reader, call: Caller, id: string, level: RequiredLevel): Promise<boolean> {
  const unused = level === 'READ' || (level !== 'OWNER' && (await subjectOf(call).has('_file_write')));
  return (await filesHaving(reader, await accessOf(reader, call), [id], level, unused)).has(id);
}

const foreignLock = (id: string, level: RequiredLevel) =>
  notYours(
    level === 'READ'
      ? 'Expected READ on an item that has the file'
      : `Expected ${level} on an item that has the file, or the role _file_write for a file without an item`,
    id,
  );

/** Ids of entities whose locks a viewer may see. */
export const tellable = (reader: Reader, viewer: Viewer, type: string, ids: readonly string[]) =>
  guarded.some((kind) => kind.type === type)
    ? readableAmong(reader, viewer, type, ids)
    : filesHaving(reader, viewer, ids, 'READ', true);

/** Whether a user may receive notifications about the lock of an entity. */
async function isTellableTo(reader: Reader, name: string, { type, id }: Protected): Promise<boolean> {
  if (guarded.some((kind) => kind.type === type)) return isReadableBy(reader, name, { type, id });
  const items = (await itemsWithFile(reader, id)).map((item) => ({ type: itemName.type, id: item }));
  return items.length === 0 || isReadableBy(reader, name, ...items);
}

export const deletionLockKind = (reader: Reader): EntityKind<DeletionLockRow> => ({
  type: lockType,
  noun: 'DeletionLock',
  find: (id) => findDeletionLock(reader, { id }),
  mustExist: deletionLockMustExist,
  mayRead: (call, lock) => mustHaveLocked(reader, call, entityOf(lock), 'READ'),
  readableBy: (user, lock) => isTellableTo(reader, user, entityOf(lock)),
});
