import { sql } from 'drizzle-orm';
import { dueWhile } from '../../core/store/due.ts';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, rowBy, updateBy } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { maxEntries, type NewEntry } from './entries/store.ts';
import { accessBulk, accessEntry } from './tables.ts';

/** Items created later are not part of the change. */
export const insertBulk = statement<{
  entry: string | null;
  user: string;
  runAs: string | null;
  requestId: string;
}>(
  sql`INSERT INTO ${writes('access_bulk')} (entry, position, user, run_as, request_id)
    SELECT ${value('entry')}, coalesce(max(serial), 0) + 1, ${value('user')}, ${value('runAs')}, ${value('requestId')}
      FROM item`,
);

/** The oldest waiting change. */
export const nextBulk = query((db) => db.select().from(accessBulk).orderBy(accessBulk.id).limit(1)).first;
export const bulkDue = dueWhile(sql`SELECT 1 FROM access_bulk`);
export type BulkRow = NonNullable<Awaited<ReturnType<typeof nextBulk>>>;

export const bulkOf = rowBy(accessBulk, 'requestId', 'id');

export const bulkStands = rowExists(accessBulk, 'id', 'position');

export const advanceBulk = updateBy(accessBulk, 'id', 'position');

export const endBulk = deleteBy(accessBulk, 'id');

/** Items below a serial, newest first, and whether they have room for one more entry. */
export const itemsBelow = query(
  sql`SELECT id, serial, (SELECT count(*) FROM access_entry WHERE entity_type = 'item' AND entity_id = item.id)
      < ${maxEntries} FROM item WHERE serial < ${value('position')} ORDER BY serial DESC LIMIT ${value('limit')}`,
  { id: sql<string>``, serial: sql<number>``, hasRoom: sql<number>`` },
);

/** Guard: all items of `ids`, a JSON array, still exist. */
export const itemsThere = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM ${eachOf('ids')} AS given CROSS JOIN item ON item.id = given.value)
    = ${value('count')}`,
);

/** Inserts the same entry on each item of `ids`, a JSON array. */
export const insertEntries = statement<
  Omit<NewEntry, 'entityType' | 'entityId' | 'entitySerial'> & { ids: readonly string[] }
>(
  sql`INSERT INTO ${writes('access_entry')} (entity_type, entity_id, id, entity_serial, user_id, group_id, permission, grantor_id,
      priority, applies_to, operation, extradata, reach, rooted)
    SELECT 'item', item.id, ${value('id')}, item.serial, ${value('userId')}, ${value('groupId')},
        ${value('permission')}, ${value('grantorId')}, ${value('priority')}, ${value('appliesTo')},
        ${value('operation')}, ${value('extradata')}, ${value('reach')}, ${value('rooted')}
      FROM ${eachOf('ids')} AS given CROSS JOIN item ON item.id = given.value`,
);

const granted = sql`FROM ${eachOf('ids')} AS given
    CROSS JOIN access_entry AS entry ON entry.entity_type = 'item' AND entry.entity_id = given.value`;

/** All entries of the items except OWNER entries. */
export const entriesOfItems = query(
  sql`SELECT entry.entity_id, entry.id, entry.permission, user.name, "group".name ${granted}
    LEFT JOIN user ON user.id = entry.user_id LEFT JOIN "group" ON "group".id = entry.group_id
    WHERE entry.permission <> 'OWNER' ORDER BY given.key, length(entry.id), entry.id`,
  {
    itemId: accessEntry.entityId,
    id: accessEntry.id,
    permission: accessEntry.permission,
    user: sql<string | null>``,
    group: sql<string | null>``,
  },
);

export const entriesAreStill = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) ${granted} WHERE entry.permission <> 'OWNER') = ${value('count')}`,
);

export const removeEntriesOf = statement<{ ids: readonly string[] }>(
  sql`DELETE FROM ${writes('access_entry')} WHERE entity_type = 'item' AND permission <> 'OWNER'
    AND entity_id IN ${valuesOf('ids')}`,
);
