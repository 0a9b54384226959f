import { asc, eq, isNull, sql } from 'drizzle-orm';
import { expectVersion, prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery } from '../../store/statement.ts';
import { storage, storageMethod } from '../tables.ts';

const value = sql.placeholder;

/** A storage that callers see. */
export const findStorage = prepareLookup((db) =>
  db
    .select()
    .from(storage)
    .where(sql`${storage.id} = ${value('id')} AND ${isNull(storage.deletedAt)}`),
);

export type StorageRow = NonNullable<Awaited<ReturnType<typeof findStorage>>>;

/** Its methods in the order in which they were added. */
export const methodsOf = prepareQuery((db) =>
  db
    .select()
    .from(storageMethod)
    .where(eq(storageMethod.storageId, value('id')))
    .orderBy(asc(storageMethod.serial)),
);

export type MethodRow = Awaited<ReturnType<typeof methodsOf>>[number];

/** For commits that hold only as long as callers see the storage. */
export const storageThere = prepareGuard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM storage WHERE id = ${value('id')} AND deleted_at IS NULL)`,
);

export const storageUnchanged = expectVersion(storage.id, storage.version);
