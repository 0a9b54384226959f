import { eq, sql } from 'drizzle-orm';
import { mustExist, prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareSqlQuery, prepareSqlStatement } from '../../store/statement.ts';
import { deletionLock } from './tables.ts';

const value = sql.placeholder;

/** Key-value metadata of deletion locks is kept under this type. */
export const lockType = 'deletion-lock';

const columns = {
  id: deletionLock.id,
  serial: deletionLock.serial,
  entityType: deletionLock.entityType,
  entityId: deletionLock.entityId,
  userId: deletionLock.userId,
  user: deletionLock.user,
  expiresAt: deletionLock.expiresAt,
  modifiedAt: deletionLock.modifiedAt,
};
const selected = sql`deletion_lock.id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at`;

export const findDeletionLock = prepareLookup((db) =>
  db
    .select()
    .from(deletionLock)
    .where(eq(deletionLock.id, value('id'))),
);

export type DeletionLockRow = NonNullable<Awaited<ReturnType<typeof findDeletionLock>>>;

export const deletionLockMustExist = mustExist(deletionLock.id);

/** The entity itself, and the collections above it. */
const holders = sql`up (id) AS (
    SELECT collection_id FROM collection_member WHERE member_type = ${value('type')} AND member_id = ${value('id')}
    UNION
    SELECT collection_id FROM up CROSS JOIN collection_member WHERE member_type = 'collection' AND member_id = up.id
  ), holder (type, id) AS (
    SELECT ${value('type')}, ${value('id')} UNION ALL SELECT 'collection', id FROM up
  )`;
const held = sql`holder CROSS JOIN deletion_lock ON entity_type = holder.type AND entity_id = holder.id`;

/** Neither the entity nor a collection above it has a lock that is still alive. */
export const notLocked = prepareGuard<{ type: string; id: string; now: number }>(
  sql`NOT EXISTS (WITH RECURSIVE ${holders} SELECT 1 FROM ${held} WHERE expires_at > ${value('now')})`,
);

/** The lock that protects an entity for the longest time. */
export const effectiveLock = prepareSqlQuery(
  sql`WITH RECURSIVE ${holders} SELECT deletion_lock.id FROM ${held} WHERE expires_at > ${value('now')}
    ORDER BY expires_at DESC, serial LIMIT 1`,
  { id: sql<string>`` },
);

const wanted = sql`expires_at >= ${value('from')} AND expires_at <= ${value('to')}
  AND (${value('users')} IS NULL OR user IN (SELECT value FROM json_each(${value('users')})))
  AND NOT EXISTS (
    SELECT 1 FROM json_each(${value('pairs')}) AS pair WHERE NOT EXISTS (
      SELECT 1 FROM key_value WHERE entity_type = ${lockType} AND entity_id = deletion_lock.id
        AND key = pair.value ->> 0 AND key_value.value = pair.value ->> 1
    )
  )`;
const page = sql`ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`;

/** Those of an entity and of the collections above it, in the order in which they were made. */
export const locksOf = prepareSqlQuery(
  sql`WITH RECURSIVE ${holders} SELECT ${selected} FROM ${held} WHERE ${wanted} ${page}`,
  columns,
);

export const allLocks = prepareSqlQuery(
  sql`SELECT ${selected} FROM deletion_lock
    WHERE (${value('types')} IS NULL OR entity_type IN (SELECT value FROM json_each(${value('types')})))
      AND ${wanted} ${page}`,
  columns,
);

export const insertDeletionLock = prepareSqlStatement<DeletionLockRow>(
  sql`INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
    VALUES (${value('id')}, ${value('serial')}, ${value('entityType')}, ${value('entityId')}, ${value('userId')},
      ${value('user')}, ${value('expiresAt')}, ${value('modifiedAt')})`,
);

export const updateDeletionLock = prepareSqlStatement<{ id: string; expiresAt: number; now: number }>(
  sql`UPDATE deletion_lock SET expires_at = ${value('expiresAt')}, modified_at = ${value('now')}
    WHERE id = ${value('id')}`,
);

export const removeDeletionLock = prepareSqlStatement<{ id: string }>(
  sql`DELETE FROM deletion_lock WHERE id = ${value('id')}`,
);

export const removeLocksOf = [
  sql`DELETE FROM key_value WHERE entity_type = ${lockType} AND entity_id IN
    (SELECT id FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')})`,
  sql`DELETE FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')}`,
].map((statement) => prepareSqlStatement<{ type: string; id: string }>(statement));
