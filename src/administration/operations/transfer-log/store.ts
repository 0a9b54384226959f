import { sql } from 'drizzle-orm';
import { query, value } from '../../../core/store/statement.ts';
import { job } from '../../../room/jobs/tables.ts';

const datum = (key: string) =>
  sql`(SELECT value FROM job_datum WHERE job_id = job.id AND key = ${sql.raw(`'${key}'`)})`;
/** Filter condition. An empty value matches everything. */
const among = (name: string, columns: string) => sql`(${value(name)} = '' OR ${value(name)} IN (${sql.raw(columns)}))`;

/** Copies and moves of files as rows of a log. Data of a job tells where from and where to, its memo the new file. */
const entries = sql`WITH entry AS (
    SELECT job.serial AS serial, job.id AS id, job.type AS type, COALESCE(job.finished_at, job.created_at) AS at,
      CASE WHEN job.status IN ('FINISHED', 'FINISHED_WARNING') THEN 'FINISHED'
        WHEN job.status LIKE 'FAILED%' OR job.status LIKE 'ABORTED%' THEN 'FAILED'
        WHEN job.step IS NULL THEN 'NONE' ELSE 'STARTING' END AS status,
      ${datum('sourceStorageId')} AS source_storage, ${datum('fileId')} AS source_file, ${datum('itemId')} AS item,
      ${datum('destinationStorageId')} AS target_storage, job.memo ->> 'destinationFileId' AS target_file
    FROM job WHERE job.type IN ('COPY_FILE', 'MOVE_FILE')),
  asked AS (SELECT * FROM entry WHERE at BETWEEN ${value('from')} AND ${value('to')}
    AND ${among('storage', 'source_storage, target_storage')} AND ${among('file', 'source_file, target_file')}
    AND ${among('item', 'item')} AND ${among('job', 'id')}
    AND status IN (SELECT value FROM json_each(${value('states')}))
    AND type IN (SELECT value FROM json_each(${value('types')})))`;

/** The newest first. */
export const transferEntries = query(
  sql`${entries} SELECT serial, id, type, at, status, source_storage, source_file, item, target_storage, target_file
    FROM asked ORDER BY serial DESC LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  {
    id: job.serial,
    job: job.id,
    method: job.type,
    timestamp: job.createdAt,
    status: job.status,
    sourceStorage: sql<string | null>`source_storage`,
    sourceFile: sql<string | null>`source_file`,
    sourceItem: sql<string | null>`item`,
    destinationStorage: sql<string | null>`target_storage`,
    destinationFile: sql<string | null>`target_file`,
  },
);

export const countTransferEntries = query(sql`${entries} SELECT count(*) FROM asked`, { count: job.serial });
