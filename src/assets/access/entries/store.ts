import { sql } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
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

const ofEntity = sql`entry.entity_type = ${value('type')} AND entry.entity_id = ${value('entityId')}`;

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

export interface NewEntry extends Record<string, unknown> {
  readonly type: string;
  readonly entityId: string;
  readonly id: string;
  readonly entitySerial: number;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly permission: Level;
  readonly priority: number;
  readonly appliesTo: string;
  readonly reach: number;
  readonly operation: string | null;
  readonly extradata: string | null;
  readonly grantorId: string | null;
  readonly rooted: number;
}

export const insertEntry = statement<NewEntry>(
  sql`INSERT INTO ${writes('access_entry')} (entity_type, entity_id, id, entity_serial, user_id, group_id, permission, grantor_id,
      priority, applies_to, operation, extradata, reach, rooted)
    VALUES (${value('type')}, ${value('entityId')}, ${value('id')}, ${value('entitySerial')}, ${value('userId')},
      ${value('groupId')}, ${value('permission')}, ${value('grantorId')}, ${value('priority')}, ${value('appliesTo')},
      ${value('operation')}, ${value('extradata')}, ${value('reach')}, ${value('rooted')})`,
);

type Key = { readonly type: string; readonly entityId: string; readonly id: string };

const ofKey = sql`entity_type = ${value('type')} AND entity_id = ${value('entityId')} AND id = ${value('id')}`;

/** Sets another level. The caller becomes the grantor. */
export const changeEntry = statement<Key & { permission: string; grantorId: string | null; rooted: number }>(
  sql`UPDATE ${writes('access_entry')} SET permission = ${value('permission')}, grantor_id = ${value('grantorId')},
    rooted = ${value('rooted')} WHERE ${ofKey}`,
);

export const changeOwner = statement<Key & { userId: string }>(
  sql`UPDATE ${writes('access_entry')} SET user_id = ${value('userId')} WHERE ${ofKey}`,
);

export const removeEntry = statement<Key>(sql`DELETE FROM ${writes('access_entry')} WHERE ${ofKey}`);

export const entryMustExist = guard<Key>(sql`EXISTS (SELECT 1 FROM access_entry WHERE ${ofKey})`);

export const userThere = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM user WHERE id = ${value('id')})`);

export const groupThere = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM "group" WHERE id = ${value('id')})`);

/** Limit of entries per entity: each request for the entity reads all of them. */
export const maxEntries = 200;

export const entriesFit = guard<{ type: string; entityId: string }>(
  sql`(SELECT count(*) FROM access_entry WHERE entity_type = ${value('type')} AND entity_id = ${value('entityId')})
    <= ${maxEntries}`,
);

/** Number of entries with the same grantee, operation, reach and priority. */
export const sameEntries = guard<{
  type: string;
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
    WHERE entity_type = ${value('type')} AND entity_id = ${value('entityId')} AND permission <> 'OWNER'
      AND user_id IS ${value('userId')} AND group_id IS ${value('groupId')} AND operation IS ${value('operation')}
      AND extradata IS ${value('extradata')} AND reach = ${value('reach')} AND priority = ${value('priority')})
    = ${value('count')}`,
);
