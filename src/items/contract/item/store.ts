import { eq, sql } from 'drizzle-orm';
import { mustExist, prepareGuard } from '../../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../../store/statement.ts';
import { item } from '../tables.ts';

const value = sql.placeholder;

export const findItem = prepareLookup((db) =>
  db
    .select()
    .from(item)
    .where(eq(item.id, value('id'))),
);

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

export const itemMustExist = mustExist(item.id);

export const itemsAmong = prepareQuery((db) =>
  db
    .select({ id: item.id })
    .from(item)
    .where(sql`${item.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

export const insertItem = prepareStatement<{ id: string; serial: number; now: number }>(
  sql`INSERT INTO item (id, serial, created_at) VALUES (${value('id')}, ${value('serial')}, ${value('now')})`,
);

export const deleteItemRow = prepareStatement<{ id: string }>(sql`DELETE FROM item WHERE id = ${value('id')}`);

/** Guard: all of the items still exist. */
export const itemsThere = prepareGuard<{ ids: string; count: number }>(
  sql`(SELECT count(*) FROM item WHERE id IN (SELECT value FROM json_each(${value('ids')}))) = ${value('count')}`,
);

/** Guard: the item has no shape, not even a new one from another request. */
export const hasNoShape = prepareGuard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM shape WHERE item_id = ${value('id')})`,
);
