import { eq, sql } from 'drizzle-orm';
import { mustExist, prepareGuard } from '../../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../../store/statement.ts';
import { collection } from '../tables.ts';

const value = sql.placeholder;

export const findCollection = prepareLookup((db) =>
  db
    .select()
    .from(collection)
    .where(eq(collection.id, value('id'))),
);

export type CollectionRow = NonNullable<Awaited<ReturnType<typeof findCollection>>>;

export const collectionMustExist = mustExist(collection.id);

export const collectionsAmong = prepareQuery((db) =>
  db
    .select({ id: collection.id })
    .from(collection)
    .where(sql`${collection.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

export const insertCollection = prepareStatement<{
  id: string;
  serial: number;
  now: number;
  absoluteTime: number;
}>(
  sql`INSERT INTO collection (id, serial, created_at, absolute_time)
    VALUES (${value('id')}, ${value('serial')}, ${value('now')}, ${value('absoluteTime')})`,
);

export const setAbsoluteTime = prepareStatement<{ id: string; absoluteTime: number }>(
  sql`UPDATE collection SET absolute_time = ${value('absoluteTime')} WHERE id = ${value('id')}`,
);

/** Collections with absolute times. */
export const absoluteAmong = prepareQuery((db) =>
  db
    .select({ id: collection.id })
    .from(collection)
    .where(sql`${collection.absoluteTime} = 1 AND ${collection.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);

export const deleteCollectionRow = prepareStatement<{ id: string }>(
  sql`DELETE FROM collection WHERE id = ${value('id')}`,
);

/** Guard: all of the collections still exist. */
export const collectionsThere = prepareGuard<{ ids: string; count: number }>(
  sql`(SELECT count(*) FROM collection WHERE id IN (SELECT value FROM json_each(${value('ids')}))) = ${value('count')}`,
);
