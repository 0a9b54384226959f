import { eq, sql } from 'drizzle-orm';
import { storage, storageMethod } from '../../media/public-reading.ts';
import { mustExist } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { exportLocation } from '../tables.ts';

const value = sql.placeholder;

export const findLocation = query((db) =>
  db
    .select()
    .from(exportLocation)
    .where(eq(exportLocation.name, value('name'))),
).first;

export type LocationRow = NonNullable<Awaited<ReturnType<typeof findLocation>>>;

export const locationMustExist = mustExist(exportLocation.name);

export const allLocations = query((db) =>
  db.select().from(exportLocation).orderBy(exportLocation.name).limit(value('limit')).offset(value('offset')),
);

export const putLocation = statement<{ name: string; document: string; script: string | null }>(
  sql`INSERT INTO ${writes('export_location')} (name, document, script)
    VALUES (${value('name')}, ${value('document')}, ${value('script')})
    ON CONFLICT (name) DO UPDATE SET document = excluded.document, script = excluded.script`,
);

export const writeScript = statement<{ name: string; script: string | null }>(
  sql`UPDATE ${writes('export_location')} SET script = ${value('script')} WHERE name = ${value('name')}`,
);

export const removeLocation = statement<{ name: string }>(
  sql`DELETE FROM ${writes('export_location')} WHERE name = ${value('name')}`,
);

/** The folders of this machine that storages have. */
export const fileMethods = query(
  sql`SELECT storage_id, uri FROM storage_method CROSS JOIN storage
    WHERE uri LIKE 'file:%' AND storage.id = storage_id AND deleted_at IS NULL`,
  { storageId: storage.id, uri: storageMethod.uri },
);
