import { type SQL, sql } from 'drizzle-orm';
import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { guard } from '../../core/store/guard.ts';
import { insertInto } from '../../core/store/rows.ts';
import { query, statement, value, writes } from '../../core/store/statement.ts';
import { takesFiles } from '../../storage/public.ts';
import { file } from '../../storage/public-reading.ts';

/** File names of shapes on storages. */
export const shapeFilename = sqliteTable(
  'shape_filename',
  {
    shapeId: text('shape_id').notNull(),
    storageId: text('storage_id').notNull(),
    filename: text('filename').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shapeId, table.storageId] }),
    uniqueIndex('shape_filename_on').on(table.storageId, table.filename),
  ],
);

export const filenamesOf = query((db) =>
  db
    .select()
    .from(shapeFilename)
    .where(sql`${shapeFilename.shapeId} = ${value('shapeId')}`)
    .orderBy(shapeFilename.storageId),
);

export type FilenameRow = Awaited<ReturnType<typeof filenamesOf>>[number];

/** Conflicting rules: for the shape on the storage, and of another shape with that name there. */
export const rulesLike = query((db) =>
  db
    .select()
    .from(shapeFilename)
    .where(
      sql`${shapeFilename.storageId} = ${value('storageId')}
        AND (${shapeFilename.shapeId} = ${value('shapeId')} OR ${shapeFilename.filename} = ${value('filename')})`,
    )
    .limit(1),
).first;

const thisOne = sql`shape_id = ${value('shapeId')} AND storage_id = ${value('storageId')}
  AND filename = ${value('filename')}`;

/** Guard: no conflicting rule. */
export const noneLike = guard<FilenameRow>(
  sql`NOT EXISTS (SELECT 1 FROM shape_filename WHERE storage_id = ${value('storageId')}
    AND (shape_id = ${value('shapeId')} OR filename = ${value('filename')}))`,
);
export const filenameThere = guard<FilenameRow>(sql`EXISTS (SELECT 1 FROM shape_filename WHERE ${thisOne})`);

export const insertFilename = insertInto(shapeFilename);
export const removeFilename = statement<FilenameRow>(sql`DELETE FROM ${writes('shape_filename')} WHERE ${thisOne}`);

/** Condition: the file of the container, or the only file of the shape on the storage. */
const isNamed = (used: SQL) =>
  sql`(EXISTS (SELECT 1 FROM component WHERE component.id = ${used}.component_id AND kind = 'container')
  OR NOT EXISTS (SELECT 1 FROM component AS each CROSS JOIN file_use AS one ON one.component_id = each.id
    CROSS JOIN file AS beside ON beside.id = one.file_id
    WHERE each.shape_id = ${used}.shape_id AND beside.id <> file.id AND beside.storage_id = file.storage_id
      AND beside.state <> 'TO_BE_DELETED'))`;
const [used, first] = [sql.raw('used'), sql.raw('first')];

/** Condition: the storage takes files, and no deletion lock holds the file. */
export const mayMove = sql`(${takesFiles} AND NOT EXISTS (SELECT 1 FROM deletion_lock
  WHERE entity_type = 'file' AND entity_id = file.id AND expires_at > ${value('now')}))`;

/** File names given by shapes on a storage. */
export const namesOfFile = query(
  sql`SELECT filename FROM file_use AS used CROSS JOIN file ON file.id = used.file_id
    CROSS JOIN shape_filename ON shape_filename.shape_id = used.shape_id
      AND shape_filename.storage_id = ${value('storageId')}
    WHERE used.file_id = ${value('fileId')} AND ${isNamed(used)} ORDER BY shape_filename.shape_id LIMIT 1`,
  { filename: shapeFilename.filename },
);

/**
 * The first file of a component whose name differs from that of its shape. If several shapes name a file, the first
 * decides.
 */
export const otherwiseNamed = query(
  sql`SELECT file.id, filename,
      EXISTS (SELECT 1 FROM file_job WHERE file_job.file_id = file.id AND rest_until IS NULL),
      ${mayMove}
    FROM file_use AS used CROSS JOIN file ON file.id = used.file_id CROSS JOIN storage ON storage.id = file.storage_id
    CROSS JOIN shape_filename ON shape_filename.shape_id = used.shape_id
      AND shape_filename.storage_id = file.storage_id
    WHERE used.component_id = ${value('componentId')} AND file.state IN ('CLOSED', 'BEING_READ')
      AND file.path <> filename AND ${isNamed(used)}
      AND NOT EXISTS (SELECT 1 FROM file_use AS first CROSS JOIN shape_filename AS said
        ON said.shape_id = first.shape_id AND said.storage_id = file.storage_id
        WHERE first.file_id = file.id AND first.shape_id < used.shape_id AND ${isNamed(first)})
    ORDER BY 4 DESC, file.serial LIMIT 1`,
  { fileId: file.id, filename: shapeFilename.filename, isInJob: sql<number>``, mayMove: sql<number>`` },
);
