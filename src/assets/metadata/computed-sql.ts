import { sql } from 'drizzle-orm';
import { eachOf, query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import { file, storageGroupMember } from '../../storage/public-reading.ts';
import { readableWhere, type Viewer } from '../access/public-reading.ts';

/** Queries over tables of later rooms, whose rows become computed fields. */

const idRows = sql`${eachOf('ids')}`;
const most = value('most');

/** Shapes of items by version, and then oldest first. `ids`: JSON array of items. */
export const shapesOfItems = query(
  sql`SELECT * FROM (SELECT id, item_id, serial, essence_version, placeholder FROM shape
    WHERE item_id IN (SELECT value FROM ${idRows}) LIMIT ${most}) ORDER BY essence_version, serial`,
  {
    id: sql<string>``,
    itemId: sql<string>``,
    serial: sql<number>``,
    essenceVersion: sql<number>``,
    placeholder: sql<number>``,
  },
);

/** Tags of shapes, in the order in which they were added. `ids`: JSON array of shapes. */
export const tagsOfShapes = query(
  sql`SELECT shape_id, tag FROM (SELECT shape_id, tag, position FROM shape_tagged
    WHERE shape_id IN (SELECT value FROM ${idRows}) LIMIT ${most}) ORDER BY shape_id, position`,
  { shapeId: sql<string>``, tag: sql<string>`` },
);

/** Distinct files of the shapes of items, oldest first. `ids`: JSON array of items. */
export const filesOfItems = query(
  sql`SELECT DISTINCT * FROM (SELECT shape.item_id, shape.id, file.serial AS serial, file.storage_id, file.hash
    FROM ${eachOf('ids')} AS given
    CROSS JOIN file_use ON file_use.item_id = given.value
    CROSS JOIN shape ON shape.id = file_use.shape_id
    CROSS JOIN file ON file.id = file_use.file_id
    CROSS JOIN storage ON storage.id = file.storage_id AND storage.deleted_at IS NULL
    LIMIT ${most}) ORDER BY serial`,
  {
    itemId: sql<string>``,
    shapeId: sql<string>``,
    serial: file.serial,
    storageId: file.storageId,
    hash: file.hash,
  },
);

/** Groups of storages. `ids`: JSON array. */
export const groupsOfStorages = query(
  sql`SELECT storage_id, group_name FROM storage_group_member
    WHERE storage_id IN ${valuesOf('ids')}`,
  { storageId: storageGroupMember.storageId, group: storageGroupMember.groupName },
);

/** Direct parent collections for a page of entities. */
export const directParents = query(
  sql`SELECT * FROM (SELECT member_id, collection_id FROM ${eachOf('ids')} AS given CROSS JOIN collection_member
    WHERE member_type = ${value('type')} AND member_id = given.value LIMIT ${most}) ORDER BY collection_id`,
  { root: sql<string>``, id: sql<string>`` },
);

export const collectionsAbove = query(
  sql`WITH RECURSIVE up (root, id) AS (
      SELECT member_id, collection_id FROM ${eachOf('ids')} AS given CROSS JOIN collection_member
        WHERE member_type = ${value('type')} AND member_id = given.value
      UNION
      SELECT root, collection_id FROM up CROSS JOIN collection_member
        WHERE member_type = 'collection' AND member_id = up.id
    )
    SELECT root, id FROM up LIMIT ${most}`,
  { root: sql<string>``, id: sql<string>`` },
);

/** Number of members per collection. */
export const countsOf = query(
  sql`SELECT id, items, collections FROM collection WHERE id IN (SELECT value FROM ${idRows})`,
  { id: sql<string>``, items: sql<number>``, collections: sql<number>`` },
);

/** Number of members that a viewer may read. */
export async function countsFor(reader: Reader, viewer: Viewer, ids: readonly string[]) {
  const counted = (kind: 'item' | 'collection') => {
    const { text, values } = readableWhere(viewer, kind, 'member.member_id');
    const sql = `(SELECT count(*) FROM collection_member AS member
      WHERE member.collection_id = given.value AND member.member_type = '${kind}' AND ${text})`;
    return { sql, values };
  };
  const [items, collections] = [counted('item'), counted('collection')];
  const rows = await reader.read(`SELECT given.value, ${items.sql}, ${collections.sql} FROM json_each(?) AS given`, [
    ...items.values,
    ...collections.values,
    JSON.stringify(ids),
  ]);
  return rows.map(([id, ...counts]) => ({ id: String(id), items: Number(counts[0]), collections: Number(counts[1]) }));
}

/** Collections of a page that are mapped to folders. */
export const mappedAmong = query(
  sql`SELECT collection_id FROM collection_folder WHERE mapped = 1 AND collection_id IN (SELECT value FROM ${idRows})`,
  { id: sql<string>`` },
);
