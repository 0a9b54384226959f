import { sql } from 'drizzle-orm';
import { guard } from '../../../../core/store/guard.ts';
import { deleteBy, putInto } from '../../../../core/store/rows.ts';
import { query, value } from '../../../../core/store/statement.ts';
import { itemLock } from '../tables.ts';

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
