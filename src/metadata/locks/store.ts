import { and, asc, eq, gt } from 'drizzle-orm';
import { guard } from '../../store/guard.ts';
import { query, sql, statement, writes } from '../../store/statement.ts';
import { metadataLock } from '../tables.ts';

const value = sql.placeholder;

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
  fields: string;
  all: number;
  except: string;
}>(
  sql`NOT EXISTS (SELECT 1 FROM metadata_lock WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}
    AND expires_at > ${value('now')} AND user <> ${value('user')} AND id <> ${value('except')}
    AND (fields = '[]' OR ${value('all')} = 1 OR EXISTS (SELECT 1 FROM json_each(fields) AS held
      WHERE held.value IN (SELECT value FROM json_each(${value('fields')})))))`,
);

export const insertLock = statement((db) =>
  db.insert(metadataLock).values({
    id: value('id'),
    ownerType: value('kind'),
    ownerId: value('owner'),
    user: value('user'),
    expiresAt: value('expiresAt'),
    fields: value('fields'),
  }),
);

export const updateLock = statement(
  sql`UPDATE ${writes('metadata_lock')} SET expires_at = ${value('expiresAt')}, fields = ${value('fields')} WHERE id = ${value('id')}`,
);

export const removeEditLock = statement(sql`DELETE FROM ${writes('metadata_lock')} WHERE id = ${value('id')}`);

export const removeExpired = statement(
  sql`DELETE FROM ${writes('metadata_lock')} WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}
    AND expires_at <= ${value('now')}`,
);

export const removeLocks = statement(
  sql`DELETE FROM ${writes('metadata_lock')} WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}`,
);
