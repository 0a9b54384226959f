import { sql } from 'drizzle-orm';
import { dueWhile } from '../../core/store/due.ts';
import { guard } from '../../core/store/guard.ts';
import { deleteBy } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../core/store/statement.ts';
import { file, storage, storageScan } from '../tables.ts';

/** For callers it is gone; work forgets the rest. */
export const markDeleted = statement<{ id: string; now: number }>(
  sql`UPDATE ${writes('storage')} SET deleted_at = ${value('now')}, version = version + 1 WHERE id = ${value('id')}`,
);

/** Ends scans and auto-imports in the commit that deletes the storage. */
export const stopScans = deleteBy(storageScan, 'storageId');
export const leaveGroups = statement<{ id: string }>(
  sql`DELETE FROM ${writes('storage_group_member')} WHERE storage_id = ${value('id')}`,
);

/** No file of the storage belongs to an item. */
export const unused = guard<{ id: string }>(
  sql`COALESCE((SELECT uses FROM file_use_count WHERE storage_id = ${value('id')}), 0) = 0`,
);

export const storagesDue = dueWhile(sql`SELECT 1 FROM storage WHERE deleted_at IS NOT NULL`);

/** Storages whose rows wait to be forgotten, the oldest first. */
export const deletedStorages = query((db) =>
  db
    .select({ id: storage.id, at: sql<number>`${storage.deletedAt}` })
    .from(storage)
    .where(sql`${storage.deletedAt} IS NOT NULL`)
    .orderBy(storage.deletedAt)
    .limit(value('limit')),
);

export const waitingToGo = query(sql`SELECT COUNT(*), MIN(deleted_at) FROM storage WHERE deleted_at IS NOT NULL`, {
  count: sql<number>``,
  oldest: sql<number | null>``,
});

export const firstFiles = query((db) =>
  db
    .select({ id: file.id, storageId: file.storageId })
    .from(file)
    .where(sql`${file.storageId} = ${value('id')}`)
    .orderBy(file.serial)
    .limit(value('limit')),
);

const idSource = sql`SELECT value FROM ${eachOf('ids')}`;

/** Guards that all given files still have their rows. */
export const filesExist = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT COUNT(*) FROM file WHERE id IN (${idSource})) = ${value('count')}`,
);

/** Deletes the rows of files. A trigger deletes their uses. */
export const forgetStorageFiles = [
  statement<{ ids: readonly string[] }>(
    sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'file' AND entity_id IN (${idSource})`,
  ),
  statement<{ ids: readonly string[] }>(
    sql`DELETE FROM ${writes('external_id')} WHERE entity_type = 'file' AND entity_id IN (${idSource})`,
  ),
  statement<{ ids: readonly string[] }>(sql`DELETE FROM ${writes('file')} WHERE id IN (${idSource})`),
];

/** Nothing of the storage is left that has an event. */
export const storageIsEmpty = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM file WHERE storage_id = ${value('id')})`,
);

export const forgetStorage = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'storage-method'
    AND entity_id IN (SELECT id FROM storage_method WHERE storage_id = ${value('id')})`,
  sql`DELETE FROM ${writes('storage_method')} WHERE storage_id = ${value('id')}`,
  sql`DELETE FROM ${writes('storage_group_member')} WHERE storage_id = ${value('id')}`,
  sql`DELETE FROM ${writes('auto_import_rule')} WHERE storage_id = ${value('id')}`,
  sql`DELETE FROM ${writes('storage_scan')} WHERE storage_id = ${value('id')}`,
  sql`DELETE FROM ${writes('file_usage')} WHERE storage_id = ${value('id')}`,
  sql`DELETE FROM ${writes('file_use_count')} WHERE storage_id = ${value('id')}`,
  sql`DELETE FROM ${writes('storage')} WHERE id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));
