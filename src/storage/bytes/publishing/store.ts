import { asc, sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../../core/store/statement.ts';
import { file, publication, storage, storageMethod } from '../../tables.ts';

export type Publication = typeof publication.$inferSelect;

const insertRow = insertInto(publication);

/** `pathTaken`: the refusal where other bytes are about to get the path. */
export const insertPublication = (row: Publication, pathTaken: ServiceError): Statement => insertRow(row, pathTaken);

export const findPublication = rowBy(publication, 'id');

export const deletePublication = deleteBy(publication, 'id');

/** Guards that this instance still owns the publication. */
export const publicationLeaseHolds = rowExists(publication, 'id', 'instance');

/** Modes that recovery resumes. Publications of other modes are finished by their own writers. */
const recovered = `mode IN ('create', 'recreate', 'replace', 'asked-create', 'asked-recreate')`;

/** Publications with an expired lease, the oldest first. */
export const duePublications = query((db) =>
  db
    .select()
    .from(publication)
    .where(sql`${publication.leaseUntil} <= ${value('now')} AND ${sql.raw(recovered)}`)
    .orderBy(asc(publication.leaseUntil))
    .limit(value('limit')),
);

export const publicationsDue = sql.raw(`SELECT min(lease_until) FROM publication WHERE ${recovered}`);

export const countPublications = query((db) =>
  db.select({ count: sql<number>`count(*)`, oldest: sql<number | null>`min(at)` }).from(publication),
).first;

/** Takes the lease. Fails with `lost` if another instance has taken the row since it was read. */
export const takePublication = (row: Publication, instance: string, until: number, lost: ServiceError): Statement[] => [
  leaseUnchanged({ id: row.id, instance: row.instance, leaseUntil: row.leaseUntil }, lost),
  extendPublishing({ id: row.id, instance, leaseUntil: until }),
];

const leaseUnchanged = rowExists(publication, 'id', 'instance', 'leaseUntil');

export const extendPublishing = updateBy(publication, 'id', 'instance', 'leaseUntil');

export const endPublishingLeases = statement(
  sql`UPDATE ${writes('publication')} SET lease_until = 0 WHERE lease_until > 0 AND ${sql.raw(recovered)} RETURNING id`,
  { returns: true },
);

/** No live file has the path, or that one has it. */
export const pathFree = guard<{ storageId: string; path: string; fileId: string }>(
  sql`NOT EXISTS (SELECT 1 FROM file WHERE storage_id = ${value('storageId')} AND path = ${value('path')}
    AND state <> 'TO_BE_DELETED' AND id <> ${value('fileId')})`,
);

/** Guards that the file exists and is not about to be deleted. */
export const fileLives = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM file WHERE id = ${value('id')} AND state <> 'TO_BE_DELETED')`,
);

/** A file of that path whose bytes wait for their deletion. */
export const fileWaiting = query((db) =>
  db
    .select({ id: file.id })
    .from(file)
    .where(
      sql`${file.storageId} = ${value('storageId')} AND ${file.path} = ${value('path')} AND state = 'TO_BE_DELETED'`,
    )
    .limit(1),
).first;

/** The given tokens of staged bytes that a publication or an upload in parts refers to. */
export const namedTokens = query((db) =>
  db
    .select({ token: sql<string>`value` })
    .from(sql`${eachOf('tokens')}`)
    .where(
      sql`EXISTS (SELECT 1 FROM publication WHERE publication.token = value)
        OR EXISTS (SELECT 1 FROM transfer WHERE transfer.token = value)`,
    ),
);

export const findMethod = rowBy(storageMethod, 'id');

/** The methods that write of the next storage behind a number. */
export const nextWritingStorage = query((db) =>
  db
    .select({ id: storage.id, serial: storage.serial })
    .from(storage)
    .where(
      sql`${storage.serial} > ${value('after')} AND ${storage.deletedAt} IS NULL
        AND EXISTS (SELECT 1 FROM storage_method WHERE storage_id = ${storage.id} AND write = 1)`,
    )
    .orderBy(asc(storage.serial))
    .limit(1),
).first;
