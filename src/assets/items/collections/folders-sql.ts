import { sql } from 'drizzle-orm';
import { deleteBy, rowBy } from '../../../core/store/rows.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { file } from '../../../storage/public-reading.ts';
import { collectionFolder } from '../../containment/tables.ts';
import { mayMove } from '../../shapes/public.ts';

export const findFolder = rowBy(collectionFolder, 'collectionId');

export type FolderRow = NonNullable<Awaited<ReturnType<typeof findFolder>>>;

const put = (column: 'name' | 'mapped') =>
  statement<FolderRow>(
    sql`INSERT INTO ${writes('collection_folder')} (collection_id, name, mapped)
      VALUES (${value('collectionId')}, ${value('name')}, ${value('mapped')})
      ON CONFLICT (collection_id) DO UPDATE SET ${sql.raw(`${column} = excluded.${column}`)}`,
  );

/** Upserts one column each, since another instance may change the other one. */
export const [nameFolder, mapFolder] = [put('name'), put('mapped')];

export const forgetFolder = deleteBy(collectionFolder, 'collectionId');

/**
 * Folders above an item, each with the member that leads to the item. A member counts only if the user who added it had
 * the level ALL on it. Otherwise readers of an item could move its files by their own folders.
 */
export const foldersAbove = query(
  sql`WITH RECURSIVE above (member_type, member_id, collection_id, name) AS (
      SELECT member_type, member_id, collection_id, name FROM collection_member CROSS JOIN collection_folder USING (collection_id)
        WHERE member_type = 'item' AND member_id = ${value('itemId')} AND passes = 1 AND mapped = 1
      UNION
      SELECT m.member_type, m.member_id, m.collection_id, f.name FROM above CROSS JOIN collection_member AS m
        ON m.member_type = 'collection' AND m.member_id = above.collection_id AND m.passes = 1
        CROSS JOIN collection_folder AS f ON f.collection_id = m.collection_id AND mapped = 1
    )
    SELECT member_type, member_id, collection_id, name FROM above`,
  {
    type: sql<string>``,
    memberId: sql<string>``,
    collectionId: collectionFolder.collectionId,
    name: collectionFolder.name,
  },
);

/**
 * The first file of a component outside the folder of its item. Files that a shape names are left out, also if another
 * shape shares the file. If several items share a file, the first decides, so that it stays in one folder.
 */
export const otherwisePlaced = query(
  sql`SELECT file.id, EXISTS (SELECT 1 FROM file_job WHERE file_job.file_id = file.id AND rest_until IS NULL),
      ${mayMove}
    FROM file_use AS used CROSS JOIN file ON file.id = used.file_id CROSS JOIN storage ON storage.id = file.storage_id
    WHERE used.component_id = ${value('componentId')} AND file.state IN ('CLOSED', 'BEING_READ')
      AND storage.type = 'LOCAL' AND storage.deleted_at IS NULL
      AND file.folder <> ${value('folder')}
      AND NOT EXISTS (SELECT 1 FROM file_use AS other CROSS JOIN shape_filename
        ON shape_filename.shape_id = other.shape_id AND shape_filename.storage_id = file.storage_id
        WHERE other.file_id = file.id)
      AND NOT EXISTS (SELECT 1 FROM file_use AS other WHERE other.file_id = file.id AND other.item_id < used.item_id)
    ORDER BY 3 DESC, file.serial LIMIT 1`,
  { fileId: file.id, isInJob: sql<number>``, mayMove: sql<number>`` },
);
