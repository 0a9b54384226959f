import { sql } from 'drizzle-orm';
import { mustExist } from '../../../core/store/guard.ts';
import { deleteBy, putInto, rowBy, updateBy } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import { storage, storageMethod } from '../../../storage/public-reading.ts';
import { exportLocation } from '../tables.ts';

export const findLocation = rowBy(exportLocation, 'name');

export type LocationRow = NonNullable<Awaited<ReturnType<typeof findLocation>>>;

export const locationMustExist = mustExist(exportLocation.name);

export const allLocations = query((db) =>
  db.select().from(exportLocation).orderBy(exportLocation.name).limit(value('limit')).offset(value('offset')),
);

export const putLocation = putInto(exportLocation, 'name');

export const writeScript = updateBy(exportLocation, 'name', 'script');

export const removeLocation = deleteBy(exportLocation, 'name');

/** The folders of this machine that storages have. */
export const fileMethods = query(
  sql`SELECT storage_id, uri FROM storage_method CROSS JOIN storage
    WHERE uri LIKE 'file:%' AND storage.id = storage_id AND deleted_at IS NULL`,
  { storageId: storage.id, uri: storageMethod.uri },
);
