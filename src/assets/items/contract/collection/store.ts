import { sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, rowsAmong, updateBy } from '../../../../core/store/rows.ts';
import { query, value, valuesOf } from '../../../../core/store/statement.ts';
import { collection } from '../tables.ts';

export const findCollection = rowBy(collection, 'id');

export type CollectionRow = NonNullable<Awaited<ReturnType<typeof findCollection>>>;

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
);

export const deleteCollectionRow = deleteBy(collection, 'id');

/** Guard: all of the collections still exist. */
export const collectionsThere = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM collection WHERE id IN ${valuesOf('ids')}) = ${value('count')}`,
);
