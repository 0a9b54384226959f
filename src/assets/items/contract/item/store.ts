import { sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, rowsAmong } from '../../../../core/store/rows.ts';
import { value, valuesOf } from '../../../../core/store/statement.ts';
import { item } from '../tables.ts';

export const findItem = rowBy(item, 'id');

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

export const itemMustExist = mustExist(item.id);

export const itemsAmong = rowsAmong(item, 'id', 'ids', 'id');

export const insertItem = insertInto(item, 'id', 'serial', 'createdAt');

export const deleteItemRow = deleteBy(item, 'id');

/** Guard: all of the items still exist. */
export const itemsThere = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM item WHERE id IN ${valuesOf('ids')}) = ${value('count')}`,
);

/** Guard: the item has no shape, not even a new one from another request. */
export const hasNoShape = guard<{ id: string }>(sql`NOT EXISTS (SELECT 1 FROM shape WHERE item_id = ${value('id')})`);
