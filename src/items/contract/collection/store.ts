import { eq, sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../store/guard.ts';
import { query, statement, writes } from '../../../store/statement.ts';
import { collection } from '../tables.ts';

const value = sql.placeholder;

export const findCollection = query((db) =>
  db
    .select()
    .from(collection)
    .where(eq(collection.id, value('id'))),
).first;

export type CollectionRow = NonNullable<Awaited<ReturnType<typeof findCollection>>>;

export const collectionMustExist = mustExist(collection.id);

export const collectionsAmong = query((db) =>
  db
    .select({ id: collection.id })
    .from(collection)
    .where(sql`${collection.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

export const insertCollection = statement<{
  id: string;
  serial: number;
  now: number;
  absoluteTime: number;
}>(
  sql`INSERT INTO ${writes('collection')} (id, serial, created_at, absolute_time)
    VALUES (${value('id')}, ${value('serial')}, ${value('now')}, ${value('absoluteTime')})`,
);

export const setAbsoluteTime = statement<{ id: string; absoluteTime: number }>(
  sql`UPDATE ${writes('collection')} SET absolute_time = ${value('absoluteTime')} WHERE id = ${value('id')}`,
);

/** Collections with absolute times. */
export const absoluteAmong = query((db) =>
  db
    .select({ id: collection.id })
    .from(collection)
    .where(sql`${collection.absoluteTime} = 1 AND ${collection.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

export const deleteCollectionRow = statement<{ id: string }>(
  sql`DELETE FROM ${writes('collection')} WHERE id = ${value('id')}`,
);

/** Guard: all of the collections still exist. */
export const collectionsThere = guard<{ ids: string; count: number }>(
  sql`(SELECT count(*) FROM collection WHERE id IN (SELECT value FROM json_each(${value('ids')}))) = ${value('count')}`,
);
