import { sql } from 'drizzle-orm';
import { guard } from '../../../store/guard.ts';
import { query, statement, writes } from '../../../store/statement.ts';
import { itemLock } from '../tables.ts';

const value = sql.placeholder;

/** The lock of an item. Expired locks are ignored. */
export const findLock = query((db) =>
  db
    .select()
    .from(itemLock)
    .where(sql`${itemLock.itemId} = ${value('itemId')} AND ${itemLock.expiresAt} > ${value('now')}`),
).first;

type LockRow = NonNullable<Awaited<ReturnType<typeof findLock>>>;

/** Guard: no other user has a lock on the item. */
export const notLockedByOthers = guard<{ itemId: string; userId: string; now: number }>(
  sql`NOT EXISTS (SELECT 1 FROM item_lock WHERE item_id = ${value('itemId')} AND expires_at > ${value('now')}
    AND user_id <> ${value('userId')})`,
);

export const putLock = statement<LockRow>(
  sql`INSERT INTO ${writes('item_lock')} (item_id, user_id, user, expires_at)
    VALUES (${value('itemId')}, ${value('userId')}, ${value('user')}, ${value('expiresAt')})
    ON CONFLICT (item_id) DO UPDATE SET user_id = excluded.user_id, user = excluded.user,
      expires_at = excluded.expires_at`,
);

export const removeLockRow = statement<{ itemId: string }>(
  sql`DELETE FROM ${writes('item_lock')} WHERE item_id = ${value('itemId')}`,
);
