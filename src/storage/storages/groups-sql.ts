import { sql } from 'drizzle-orm';
import { mustExist } from '../../core/store/guard.ts';
import { rowBy, rowsAmong } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { storage, storageGroup, storageGroupMember } from '../tables.ts';

export const findStorageGroup = rowBy(storageGroup, 'name');

export const listStorageGroups = query((db) =>
  db
    .select({ name: storageGroup.name })
    .from(storageGroup)
    .orderBy(storageGroup.name)
    .limit(value('limit'))
    .offset(value('offset')),
);

export const groupMustExist = mustExist(storageGroup.name);

export const insertStorageGroup = statement<{ name: string; now: number }>(
  sql`INSERT INTO ${writes('storage_group')} (name, created_at) VALUES (${value('name')}, ${value('now')})
    ON CONFLICT (name) DO NOTHING`,
);

/** Deletes the group. Its storages stay. */
export const removeGroup = [
  sql`DELETE FROM ${writes('storage_group_member')} WHERE group_name = ${value('name')}`,
  sql`DELETE FROM ${writes('storage_group')} WHERE name = ${value('name')}`,
].map((template) => statement<{ name: string }>(template));

type Membership = { readonly name: string; readonly storageId: string };

export const addStorageToGroup = statement<Membership>(
  sql`INSERT INTO ${writes('storage_group_member')} (group_name, storage_id) VALUES (${value('name')}, ${value('storageId')})
    ON CONFLICT (group_name, storage_id) DO NOTHING`,
);

export const removeStorageFromGroup = statement<Membership>(
  sql`DELETE FROM ${writes('storage_group_member')} WHERE group_name = ${value('name')} AND storage_id = ${value('storageId')}`,
);

export const storageGroupsNamed = rowsAmong(storageGroup, 'name', 'names', 'name');

/** Storages of some that are in any of these groups. */
export const storagesAmongGroups = query(
  sql`SELECT DISTINCT storage_id FROM ${eachOf('ids')} AS given CROSS JOIN storage_group_member
    WHERE storage_id = given.value AND group_name IN ${valuesOf('groups')}`,
  { id: storageGroupMember.storageId },
);

/** The storages of a group that callers see, in the order in which storages were made. */
export const storagesOfGroup = query(
  sql`SELECT storage.id FROM storage_group_member JOIN storage ON storage.id = storage_id
    WHERE group_name = ${value('name')} AND deleted_at IS NULL
    ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { id: storage.id },
);

/** Members of a page of groups, up to a limit for all groups together. */
export const membersOfAll = query(
  sql`SELECT group_name, storage.id FROM ${eachOf('names')} AS given
    CROSS JOIN storage_group_member ON group_name = given.value JOIN storage ON storage.id = storage_id
    WHERE deleted_at IS NULL LIMIT ${value('limit')}`,
  { group: storageGroupMember.groupName, id: storage.id },
);
