import { asc, sql } from 'drizzle-orm';
import { earliestDue } from '../../../core/store/due.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { file, publication } from '../../tables.ts';

const inJobs = sql`EXISTS (SELECT 1 FROM file_job WHERE file_id = ${file.id} AND rest_until IS NULL)`;
/** Callers see the storage. The rows of a deleted one are forgotten without their bytes. */
const isLive = sql`EXISTS (SELECT 1 FROM storage WHERE storage.id = ${file.storageId} AND deleted_at IS NULL)`;
const isTaken = sql`EXISTS (SELECT 1 FROM publication WHERE publication.storage_id = ${file.storageId}
  AND publication.path = ${file.path} AND lease_until > ${value('now')})`;

/** Files whose bytes may go, the longest due first. */
export const filesToDelete = query((db) =>
  db
    .select()
    .from(file)
    .where(
      sql`${file.deleteDue} IS NOT NULL AND ${file.deleteDue} <= ${value('now')} AND ${file.state} = 'TO_BE_DELETED'
        AND ${isLive} AND NOT ${inJobs} AND NOT ${isTaken}`,
    )
    .orderBy(asc(file.deleteDue))
    .limit(value('limit')),
);

export const deletionsDue = earliestDue(
  sql`SELECT min(delete_due) FROM file WHERE delete_due IS NOT NULL`,
  sql`SELECT min(lease_until) FROM publication WHERE mode = 'remove'
    AND NOT EXISTS (SELECT 1 FROM file WHERE file.id = publication.file_id AND state = 'TO_BE_DELETED')`,
);

export const waitingDeletions = query((db) =>
  db
    .select({ count: sql<number>`count(*)`, oldest: sql<number | null>`min(delete_due)` })
    .from(file)
    .where(sql`${file.deleteDue} IS NOT NULL AND ${file.deleteDue} <= ${value('now')}`),
).first;

type Removal = { readonly id: string; readonly storageId: string; readonly path: string; readonly fileId: string };

/** The row that keeps others from a path while its bytes go. One path has one such row. */
export const lockPath = statement<Removal & { instance: string; at: number; until: number }>(
  sql`INSERT INTO ${writes('publication')} (id, token, method_id, storage_id, path, file_id, mode, state, size, actor, at, instance, lease_until)
    VALUES (${value('id')}, '', '', ${value('storageId')}, ${value('path')}, ${value('fileId')}, 'remove', '', 0, '{}',
      ${value('at')}, ${value('instance')}, ${value('until')})
    ON CONFLICT (id) DO UPDATE SET instance = excluded.instance, lease_until = excluded.lease_until
      WHERE lease_until <= ${value('at')}`,
);

/** Guards that this instance holds the lock of the path. */
export const pathLocked = rowExists(publication, 'id', 'instance', 'leaseUntil');

export const unlockPath = statement<{ id: string }>(
  sql`DELETE FROM ${writes('publication')} WHERE id = ${value('id')} AND mode = 'remove'`,
);

/** Locks whose file waits for no deletion any more: the server that had them stopped. */
export const forgetFileLocks = statement<{ now: number }>(
  sql`DELETE FROM ${writes('publication')} WHERE mode = 'remove' AND lease_until <= ${value('now')}
    AND NOT EXISTS (SELECT 1 FROM file WHERE file.id = publication.file_id AND state = 'TO_BE_DELETED')`,
);

export const leftLocks = query((db) =>
  db
    .select({ id: publication.id })
    .from(publication)
    .where(
      sql`${publication.leaseUntil} <= ${value('now')} AND ${publication.mode} = 'remove'
        AND NOT EXISTS (SELECT 1 FROM file WHERE file.id = ${publication.fileId} AND state = 'TO_BE_DELETED')`,
    )
    .limit(1),
).first;

export const endLocks = statement(
  sql`UPDATE ${writes('publication')} SET lease_until = 0 WHERE lease_until > 0 AND mode = 'remove' RETURNING id`,
  { returns: true },
);

/** Guards that no instance is removing the bytes of the file. */
export const notRemoving = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM publication WHERE id = 'remove ' || ${value('id')})`,
);

/** Postpones the deletion. */
export const postpone = statement<{ id: string; due: number }>(
  sql`UPDATE ${writes('file')} SET delete_due = ${value('due')} WHERE id = ${value('id')} AND state = 'TO_BE_DELETED'`,
);
