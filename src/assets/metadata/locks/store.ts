import { and, asc, eq, gt } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../../core/store/rows.ts';
import { query, sql, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { metadataLock } from '../tables.ts';

/** Locks that have not expired. */
export const editLocksOf = query((db) =>
  db
    .select()
    .from(metadataLock)
    .where(
      and(
        eq(metadataLock.ownerType, value('kind')),
        eq(metadataLock.ownerId, value('id')),
        gt(metadataLock.expiresAt, value('now')),
      ),
    )
    .orderBy(asc(metadataLock.expiresAt), asc(metadataLock.id)),
);

export type LockRow = Awaited<ReturnType<typeof editLocksOf>>[number];

/**
 * Guard: no other user has locked one of these fields, a JSON array of names. Locks without fields cover all fields,
 * and conflict with every other lock. `except`: id of a lock to ignore.
 */
export const fieldsFree = guard<{
  kind: string;
  id: string;
  user: string;
  now: number;
  fields: readonly string[];
  all: number;
  except: string;
}>(
  sql`NOT EXISTS (SELECT 1 FROM metadata_lock WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}
    AND expires_at > ${value('now')} AND user <> ${value('user')} AND id <> ${value('except')}
    AND (fields = '[]' OR ${value('all')} = 1 OR EXISTS (SELECT 1 FROM json_each(fields) AS held
      WHERE held.value IN ${valuesOf('fields')})))`,
);

export const insertLock = insertInto(metadataLock);

export const updateLock = updateBy(metadataLock, 'id', 'expiresAt', 'fields');

export const removeEditLock = deleteBy(metadataLock, 'id');

export const removeExpired = statement(
  sql`DELETE FROM ${writes('metadata_lock')} WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}
    AND expires_at <= ${value('now')}`,
);

/** Gives locks the new name of a field. */
export const renameInLocks = statement<{ name: string; to: string }>(
  sql`UPDATE ${writes('metadata_lock')} SET fields = (SELECT json_group_array(
      CASE value WHEN ${value('name')} THEN ${value('to')} ELSE value END) FROM json_each(fields))
    WHERE EXISTS (SELECT 1 FROM json_each(fields) WHERE value = ${value('name')})`,
);

export const removeLocks = deleteBy(metadataLock, 'ownerType', 'ownerId');
