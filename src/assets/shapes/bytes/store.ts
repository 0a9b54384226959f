import { type SQL, sql } from 'drizzle-orm';
import { query, value } from '../../../core/store/statement.ts';
import { fileUse } from '../../../storage/public-reading.ts';

/** Condition: a local storage. Only local identities show that two paths have the same bytes. */
const isLocal = (storage: SQL) => sql`EXISTS (SELECT 1 FROM storage_method
  WHERE storage_id = ${storage} AND (uri LIKE 'file:%'))`;

/** Rows with the same bytes as the file, since storages may be nested. */
const same = sql`SELECT ${value('id')} UNION SELECT other.id FROM file AS own CROSS JOIN file AS other
  ON other.identity = own.identity AND other.identity IS NOT NULL
  WHERE own.id = ${value('id')} AND ${isLocal(sql`own.storage_id`)} AND ${isLocal(sql`other.storage_id`)}`;

/** Shapes that use a file. A limited number suffices for a decision. */
export const shapesWithFile = query(
  sql`SELECT DISTINCT item_id, shape_id FROM file_use WHERE file_id IN (${same}) LIMIT 1000`,
  { itemId: fileUse.itemId, shapeId: fileUse.shapeId },
);

/** Items of jobs that import or create a file, except for one job. Only the service writes memos. */
export const itemsAwaiting = query(
  sql`SELECT DISTINCT job.memo ->> '$.itemId' AS item_id FROM file_job CROSS JOIN job ON job.id = file_job.job_id
    WHERE file_id = ${value('id')} AND rest_until IS NULL AND file_job.job_id <> ${value('job')}
      AND item_id IS NOT NULL LIMIT 1000`,
  { itemId: sql<string>`item_id` },
);

/** Local files with an identity. */
export const filesWithIdentity = query(
  sql`SELECT id FROM file WHERE identity = ${value('identity')} AND identity IS NOT NULL
    AND ${isLocal(sql`storage_id`)} LIMIT 1000`,
  { id: sql<string>`id` },
);
