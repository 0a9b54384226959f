import { sql } from 'drizzle-orm';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../../core/store/rows.ts';
import { query, value, valuesOf } from '../../../core/store/statement.ts';
import type { Level, OperationType } from '../levels.ts';
import { accessEntry } from '../tables.ts';

const row = {
  id: accessEntry.id,
  entityType: accessEntry.entityType,
  entityId: accessEntry.entityId,
  entitySerial: accessEntry.entitySerial,
  permission: sql<Level>``,
  priority: accessEntry.priority,
  appliesTo: accessEntry.appliesTo,
  reach: accessEntry.reach,
  operation: sql<Exclude<OperationType, 'GENERIC'> | null>``,
  extradata: accessEntry.extradata,
  userId: accessEntry.userId,
  groupId: accessEntry.groupId,
  user: sql<string | null>``,
  group: sql<string | null>``,
  grantor: sql<string | null>``,
};

/** Entries with the current names of users and groups. */
const selected = sql`SELECT entry.id, entry.entity_type, entry.entity_id, entry.entity_serial, entry.permission,
    entry.priority, entry.applies_to, entry.reach, entry.operation, entry.extradata, entry.user_id, entry.group_id,
    user.name, "group".name, grantor.name
  FROM access_entry AS entry LEFT JOIN user ON user.id = entry.user_id LEFT JOIN "group" ON "group".id = entry.group_id
    LEFT JOIN user AS grantor ON grantor.id = entry.grantor_id`;

const ofEntity = sql`entry.entity_type = ${value('entityType')} AND entry.entity_id = ${value('entityId')}`;

/** Entries of an entity, oldest first. */
export const entriesOn = query(sql`${selected} WHERE ${ofEntity} ORDER BY length(entry.id), entry.id`, row);

export const entryOn = query(sql`${selected} WHERE ${ofEntity} AND entry.id = ${value('id')}`, row);

/** Entries of a user, by entity, on entities that the caller may read. */
export const entriesOfUser = query(
  sql`${selected} WHERE entry.user_id = ${value('userId')} AND (${value('all')} = 1
      OR CASE WHEN entry.entity_type = 'item' AND entry.entity_id IN ${valuesOf('alone')}
        THEN entry.entity_id IN ${valuesOf('having')}
        ELSE EXISTS (SELECT 1 FROM access_place AS place WHERE place.type = entry.entity_type
          AND place.id = entry.entity_id AND place.context IN ${valuesOf('contexts')}) END)
    ORDER BY entry.entity_type, entry.entity_serial, entry.id
    LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  row,
);

export type EntryRow = Awaited<ReturnType<typeof entriesOn>>[number];

export type NewEntry = typeof accessEntry.$inferSelect;
export const insertEntry = insertInto(accessEntry);

const key = ['entityType', 'entityId', 'id'] as const;

/** Sets another level. The caller becomes the grantor. */
export const changeEntry = updateBy(accessEntry, key, 'permission', 'grantorId', 'rooted');
export const changeOwner = updateBy(accessEntry, key, 'userId');
export const removeEntry = deleteBy(accessEntry, ...key);
export const entryMustExist = rowExists(accessEntry, ...key);

export const userThere = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM user WHERE id = ${value('id')})`);

export const groupThere = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM "group" WHERE id = ${value('id')})`);

/** Limit of entries per entity: each request for the entity reads all of them. */
export const maxEntries = 200;

export const entriesFit = guard<{ entityType: string; entityId: string }>(
  sql`(SELECT count(*) FROM access_entry WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')})
    <= ${maxEntries}`,
);

/** Number of entries with the same grantee, operation, reach and priority. */
export const sameEntries = guard<{
  entityType: string;
  entityId: string;
  userId: string | null;
  groupId: string | null;
  operation: string | null;
  extradata: string | null;
  reach: number;
  priority: number;
  count: number;
}>(
  sql`(SELECT count(*) FROM access_entry
    WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')} AND permission <> 'OWNER'
      AND user_id IS ${value('userId')} AND group_id IS ${value('groupId')} AND operation IS ${value('operation')}
      AND extradata IS ${value('extradata')} AND reach = ${value('reach')} AND priority = ${value('priority')})
    = ${value('count')}`,
);
