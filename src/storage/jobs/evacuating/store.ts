import { asc, eq, sql } from 'drizzle-orm';
import { dueWhile } from '../../../core/store/due.ts';
import { query, value } from '../../../core/store/statement.ts';
import { file, storage } from '../../tables.ts';

export const evacuationDue = dueWhile(sql`SELECT 1 FROM storage WHERE state = 'EVACUATING' AND deleted_at IS NULL`);

export const evacuatingStorages = query((db) =>
  db
    .select({ id: storage.id })
    .from(storage)
    .where(sql`${storage.state} = 'EVACUATING' AND ${storage.deletedAt} IS NULL`)
    .orderBy(asc(storage.serial)),
);

/** Whether a job has the file, or one has failed a short while ago. */
const isBusy = sql<number>`EXISTS (SELECT 1 FROM file_job WHERE file_id = ${file.id}
  AND (rest_until IS NULL OR rest_until > ${value('now')}))`;

/** The next files behind one that could move. */
export const closedFiles = query((db) =>
  db
    .select({ id: file.id, serial: file.serial, isBusy })
    .from(file)
    .where(sql`${file.storageId} = ${value('id')} AND ${file.state} = 'CLOSED' AND ${file.serial} > ${value('after')}`)
    .orderBy(asc(file.serial))
    .limit(value('limit')),
);

/** Moves away from a storage that have not ended. */
export const movesFromStorage = query((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(sql`file_job`)
    .innerJoin(file, sql`${file.id} = file_job.file_id`)
    .where(sql`file_job.rest_until IS NULL AND ${eq(file.storageId, value('id'))}`),
).first;
