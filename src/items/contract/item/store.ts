import { eq, sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../store/guard.ts';
import { query, statement, writes } from '../../../store/statement.ts';
import { item } from '../tables.ts';

const value = sql.placeholder;

export const findItem = query((db) =>
  db
    .select()
    .from(item)
    .where(eq(item.id, value('id'))),
).first;

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

export const itemMustExist = mustExist(item.id);

export const itemsAmong = query((db) =>
  db
    .select({ id: item.id })
    .from(item)
    .where(sql`${item.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

export const insertItem = statement<{ id: string; serial: number; now: number }>(
  sql`INSERT INTO ${writes('item')} (id, serial, created_at) VALUES (${value('id')}, ${value('serial')}, ${value('now')})`,
);

export const deleteItemRow = statement<{ id: string }>(sql`DELETE FROM ${writes('item')} WHERE id = ${value('id')}`);

/** Guard: all of the items still exist. */
export const itemsThere = guard<{ ids: string; count: number }>(
  sql`(SELECT count(*) FROM item WHERE id IN (SELECT value FROM json_each(${value('ids')}))) = ${value('count')}`,
);

/** Guard: the item has no shape, not even a new one from another request. */
export const hasNoShape = guard<{ id: string }>(sql`NOT EXISTS (SELECT 1 FROM shape WHERE item_id = ${value('id')})`);
