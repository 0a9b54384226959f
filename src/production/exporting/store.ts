import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { guard, mustExist } from '../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { job } from '../../room/jobs/tables.ts';
import { storage, storageMethod } from '../../storage/public-reading.ts';
import { archiveOrder, exportFile, exportLocation } from './tables.ts';

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

/** Columns without the content, which may be long. */
const { content: _, ...columns } = getTableColumns(exportFile);

/** Next files of a job after a position, in one of the states. */
export const nextFiles = query((db) =>
  db
    .select(columns)
    .from(exportFile)
    .where(
      sql`${exportFile.jobId} = ${value('jobId')} AND ${exportFile.position} > ${value('position')}
        AND ${exportFile.state} IN ${valuesOf('states')}`,
    )
    .orderBy(asc(exportFile.position))
    .limit(value('limit')),
);

/** Files of an archive, each with the bytes of its text where it is one. */
export const filesInArchive = query(
  sql`SELECT item_id, shape_id, file_id, wished, position, length(CAST(content AS BLOB)) FROM export_file
    WHERE job_id = ${value('jobId')} AND pack = ${value('pack')} AND position > ${value('position')}
    ORDER BY position LIMIT ${value('limit')}`,
  {
    itemId: exportFile.itemId,
    shapeId: exportFile.shapeId,
    fileId: exportFile.fileId,
    wished: exportFile.wished,
    position: exportFile.position,
    textSize: sql<number | null>``,
  },
);

export type ExportRow = Awaited<ReturnType<typeof nextFiles>>[number];

/** Columns of a running job for stylesheets. */
export const findExportJob = rowBy(job, 'id', 'createdAt', 'priority');

/** Content of a file from a template. */
export const contentOfFile = query((db) =>
  db
    .select({ content: exportFile.content })
    .from(exportFile)
    .where(and(eq(exportFile.jobId, value('jobId')), eq(exportFile.position, value('position')))),
).first;

/** New row for a file. Behind its name are the content, for files that belong to no item, and what packs it. */
export type ExportedFile = readonly [
  itemId: string,
  shapeId: string,
  fileId: string,
  name: string,
  content?: string | null,
  pack?: Pack,
];

/** `gz`: compressed. Otherwise an archive, or a file in it, by the key of the archive. */
type Pack = 'gz' | `of:${string}` | `in:${string}`;

/** `files`: JSON, a list of `ExportedFile`. */
export const insertExportedFiles = statement<{ jobId: string; position: number; files: readonly unknown[] }>(
  sql`INSERT INTO ${writes('export_file')} (job_id, position, item_id, shape_id, file_id, wished, name, state, token, content, pack)
    SELECT ${value('jobId')}, ${value('position')} + key, value ->> 0, value ->> 1, value ->> 2, value ->> 3,
      NULL, CASE WHEN value ->> 5 LIKE 'in:%' THEN 'packed' ELSE 'waiting' END, NULL, value ->> 4, value ->> 5
    FROM ${eachOf('files')}`,
);

/** A job that prepares its files once more begins from nothing. */
export const forgetExportedFiles = deleteBy(exportFile, 'jobId');

export const writeFile = statement<Omit<ExportRow, 'itemId' | 'shapeId' | 'fileId' | 'wished' | 'pack'>>(
  sql`UPDATE ${writes('export_file')} SET name = ${value('name')}, state = ${value('state')}, token = ${value('token')},
      size = ${value('size')}, sha256 = ${value('sha256')}
    WHERE job_id = ${value('jobId')} AND position = ${value('position')}`,
);

/** Exported files of items, without those that describe them. */
export const payloadOf = query(
  sql`SELECT COUNT(*), COALESCE(SUM(size), 0) FROM export_file
    WHERE job_id = ${value('jobId')} AND state = 'exported' AND file_id <> ''`,
  { files: sql<number>``, bytes: sql<number>`` },
).first;

export const stagedFiles = query((db) =>
  db
    .select({ token: exportFile.token })
    .from(exportFile)
    .where(sql`${exportFile.jobId} = ${value('jobId')} AND ${exportFile.token} IS NOT NULL`),
);

export const findOrder = rowBy(archiveOrder, 'id');
export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;
export const insertOrder = insertInto(archiveOrder);
export const removeOrdersOf = deleteBy(archiveOrder, 'userId');
/** Guard: nobody has begun to fetch the archive. */
export const orderUnused = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM archive_order WHERE id = ${value('id')} AND version IS NULL)`,
);
export const useOrder = updateBy(archiveOrder, 'id', 'version', 'ends');
/** Deletes what has ended, of all users, in bounded steps. */
export const removeEndedOrders = statement<{ now: number; max: number }>(
  sql`DELETE FROM ${writes('archive_order')} WHERE id IN
    (SELECT id FROM archive_order WHERE ends <= ${value('now')} ORDER BY ends LIMIT ${value('max')})`,
);
/** Deletes the orders of a user beyond a number, those first that end first. */
export const removeOrdersBeyond = statement<{ userId: string; max: number }>(
  sql`DELETE FROM ${writes('archive_order')} WHERE id IN
    (SELECT id FROM archive_order WHERE user_id = ${value('userId')} ORDER BY ends DESC, id LIMIT -1 OFFSET ${value('max')})`,
);
