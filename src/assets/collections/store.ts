import { eq, sql } from 'drizzle-orm';
import { mustExist } from '../../store/guard.ts';
import { prepareLookup } from '../../store/statement.ts';
import { collection } from '../tables.ts';

export const findCollection = prepareLookup((db) =>
  db
    .select()
    .from(collection)
    .where(eq(collection.id, sql.placeholder('id'))),
);

export type CollectionRow = NonNullable<Awaited<ReturnType<typeof findCollection>>>;

export const collectionMustExist = mustExist(collection.id);
