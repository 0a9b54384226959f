import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, resultColumns, updateBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { deleted, triggers } from '../../../core/store/triggers-sql.ts';
import { preparePageCheck } from '../../../room/entities/key-values/store.ts';
import { collectionsAbove } from '../../containment/walks-sql.ts';
import { deletionLock } from '../contract/tables.ts';

/** Entity type of deletion locks in key-value metadata. */
export const lockType = 'deletion-lock';

export const checkLockPage = preparePageCheck(lockType);

const { told: _, ...columns } = getTableColumns(deletionLock);
const selected = resultColumns(columns);

export const findDeletionLock = query((db) =>
  db
    .select(columns)
    .from(deletionLock)
    .where(eq(deletionLock.id, value('id'))),
).first;

export type DeletionLockRow = NonNullable<Awaited<ReturnType<typeof findDeletionLock>>>;

export const entityOf = ({ entityType: type, entityId: id }: DeletionLockRow) => ({ type, id });

export const deletionLockMustExist = mustExist(deletionLock.id);

/**
 * Entities with the items that use them, if they are files, and the collections above. `root`: the entity itself. A
 * collection protects only members whose adder had ALL on them.
 */
const holdersOf = (entities: SQL) => sql`given (root, type, id) AS (${entities}), below (root, type, id) AS (
    SELECT root, type, id FROM given
    UNION
    SELECT root, 'item', item_id FROM given CROSS JOIN file_use ON file_id = given.id WHERE given.type = 'file'
  ), ${collectionsAbove(sql`SELECT root, type, id FROM below`, 'passes')}, holder (root, type, id) AS (
    SELECT root, type, id FROM below UNION ALL SELECT root, 'collection', id FROM up
  )`;
const holders = holdersOf(sql`SELECT 0, ${value('type')}, ${value('id')}`);
const locksOfHolders = sql`holder CROSS JOIN deletion_lock ON entity_type = holder.type AND entity_id = holder.id`;

/** Guard: no lock in effect on the entity or above it. */
export const notLocked = guard<{ type: string; id: string; now: number }>(
  sql`NOT EXISTS (WITH RECURSIVE ${holders} SELECT 1 FROM ${locksOfHolders} WHERE expires_at > ${value('now')})`,
);

/**
 * Locks that protect one of the entities for the longest time. `entities`: JSON array of `[type, id]`. `except`: id of a
 * lock to ignore.
 */
export const effectiveLocks = query(
  sql`WITH RECURSIVE ${holdersOf(sql`SELECT key, value ->> 0, value ->> 1 FROM ${eachOf('entities')}`)}
    SELECT DISTINCT ${selected} FROM (
      SELECT deletion_lock.*, row_number() OVER (PARTITION BY root ORDER BY expires_at DESC, serial) AS rank
        FROM ${locksOfHolders} WHERE expires_at > ${value('now')} AND deletion_lock.id <> ${value('except')}
    ) AS deletion_lock WHERE rank = 1`,
  columns,
);

export const expiryDue = sql`SELECT min(expires_at) FROM deletion_lock WHERE told = 0`;

/** The next expired locks without an event. */
export const nextToExpire = query(
  sql`SELECT ${selected} FROM deletion_lock WHERE told = 0 ORDER BY expires_at LIMIT ${value('limit')}`,
  columns,
);

export const isExpired = guard<{ id: string; now: number }>(
  sql`EXISTS (SELECT 1 FROM deletion_lock WHERE id = ${value('id')} AND told = 0 AND expires_at <= ${value('now')})`,
);
export const markExpired = statement<{ id: string }>(
  sql`UPDATE ${writes('deletion_lock')} SET told = 1 WHERE id = ${value('id')}`,
);

export const locksOn = query(
  sql`SELECT ${selected} FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')}
    ORDER BY serial LIMIT 1000`,
  columns,
);

const wanted = sql`expires_at >= ${value('from')} AND expires_at <= ${value('to')}
  AND (${value('users')} IS NULL OR user IN ${valuesOf('users')})
  AND NOT EXISTS (
    SELECT 1 FROM ${eachOf('pairs')} AS pair WHERE NOT EXISTS (
      SELECT 1 FROM key_value WHERE entity_type = ${lockType} AND entity_id = deletion_lock.id
        AND key = pair.value ->> 0 AND key_value.value = pair.value ->> 1
    )
  )`;
const ofTypes = sql`(${value('types')} IS NULL OR entity_type IN ${valuesOf('types')})`;
const page = sql`ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`;

/** Locks of an entity and of the collections above it, oldest first. */
export const deletionLocksOf = query(
  sql`WITH RECURSIVE ${holders} SELECT ${selected} FROM ${locksOfHolders} WHERE ${wanted} ${page}`,
  columns,
);

export const allLocks = query(
  sql`SELECT ${selected} FROM deletion_lock
    WHERE ${ofTypes} AND ${wanted} ${page}`,
  columns,
);

/** Number of locks on all pages. */
export const countLocksOf = query(
  sql`WITH RECURSIVE ${holders} SELECT count(*) AS total FROM ${locksOfHolders} WHERE ${wanted}`,
  { total: sql<number>`total` },
);

export const countAllLocks = query(sql`SELECT count(*) AS total FROM deletion_lock WHERE ${ofTypes} AND ${wanted}`, {
  total: sql<number>`total`,
});

export const insertDeletionLock = insertInto(deletionLock, ...(Object.keys(columns) as (keyof typeof columns)[]));

export const updateDeletionLock = statement<{ id: string; expiresAt: number; now: number }>(
  sql`UPDATE ${writes('deletion_lock')} SET expires_at = ${value('expiresAt')}, modified_at = ${value('now')},
      told = CASE WHEN ${value('expiresAt')} > ${value('now')} THEN 0 ELSE told END
    WHERE id = ${value('id')}`,
);

export const touchDeletionLock = updateBy(deletionLock, 'id', 'modifiedAt');

export const removeDeletionLock = deleteBy(deletionLock, 'id');

export const removeLocksOf = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = ${lockType} AND entity_id IN
    (SELECT id FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')})`,
  sql`DELETE FROM ${writes('deletion_lock')} WHERE entity_type = ${value('type')} AND entity_id = ${value('id')}`,
].map((template) => statement<{ type: string; id: string }>(template));

/** Triggers that delete locks with their file. */
export const lockTriggers = (): readonly string[] => {
  const ofFile = `FROM deletion_lock WHERE entity_type = 'file' AND entity_id = OLD.id`;
  const both = [
    `DELETE FROM key_value WHERE entity_type = 'deletion-lock' AND entity_id IN (SELECT id ${ofFile})`,
    `DELETE ${ofFile}`,
  ];
  return triggers({ file_locks: deleted('file', both, `EXISTS (SELECT 1 ${ofFile})`) });
};
