import { eq, sql } from 'drizzle-orm';
import { mustExist } from '../../store/guard.ts';
import { prepareLookup } from '../../store/statement.ts';
import { item } from '../tables.ts';

export const findItem = prepareLookup((db) =>
  db
    .select()
    .from(item)
    .where(eq(item.id, sql.placeholder('id'))),
);

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

export const itemMustExist = mustExist(item.id);
