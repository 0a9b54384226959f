import { storage, storageMethod } from '../../media/public-reading.ts';
import { query, sql } from '../../store/statement.ts';

/** The folders of this machine that storages have. */
export const fileMethods = query(
  sql`SELECT storage_id, uri FROM storage_method CROSS JOIN storage
    WHERE uri LIKE 'file:%' AND storage.id = storage_id AND deleted_at IS NULL`,
  { storageId: storage.id, uri: storageMethod.uri },
);
