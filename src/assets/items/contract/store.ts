import { sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowsAmong, updateBy } from '../../../core/store/rows.ts';
import { eachEntity, query, value, valuesOf } from '../../../core/store/statement.ts';
import { placed } from '../../access/public-reading.ts';
import { collection, item } from '../../containment/tables.ts';
import { itemLock } from './tables.ts';

export const findItem = placed.item.one;

export type ItemRow = typeof item.$inferSelect;

export const itemMustExist = mustExist(item.id);

export const itemsAmong = rowsAmong(item, 'id', 'ids', 'id');

export const insertItem = insertInto(item, 'id', 'serial', 'createdAt');

export const deleteItemRow = deleteBy(item, 'id');

/** Guard: all of the items still exist. */
export const itemsThere = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM item WHERE id IN ${valuesOf('ids')}) = ${value('count')}`,
);

export const findCollection = placed.collection.one;

export type CollectionRow = typeof collection.$inferSelect;

export const collectionMustExist = mustExist(collection.id);

export const collectionsAmong = rowsAmong(collection, 'id', 'ids', 'id');

export const insertCollection = insertInto(collection, 'id', 'serial', 'createdAt', 'absoluteTime');

export const setAbsoluteTime = updateBy(collection, 'id', 'absoluteTime');

/** Collections with absolute times. */
export const absoluteAmong = query((db) =>
  db
    .select({ id: collection.id })
    .from(collection)
    .where(sql`${collection.absoluteTime} = 1 AND ${collection.id} IN ${valuesOf('ids')}`),
).reaching(eachEntity('ids'));

export const deleteCollectionRow = deleteBy(collection, 'id');

/** Guard: all of the collections still exist. */
export const collectionsThere = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM collection WHERE id IN ${valuesOf('ids')}) = ${value('count')}`,
);

/** The lock of an item. Expired locks are ignored. */
export const findLock = query((db) =>
  db
    .select()
    .from(itemLock)
    .where(sql`${itemLock.itemId} = ${value('itemId')} AND ${itemLock.expiresAt} > ${value('now')}`),
).first;

/** Guard: no other user has a lock on the item. */
export const notLockedByOthers = guard<{ itemId: string; userId: string; now: number }>(
  sql`NOT EXISTS (SELECT 1 FROM item_lock WHERE item_id = ${value('itemId')} AND expires_at > ${value('now')}
    AND user_id <> ${value('userId')})`,
);

export const putLock = putInto(itemLock, 'itemId');

export const removeLockRow = deleteBy(itemLock, 'itemId');
