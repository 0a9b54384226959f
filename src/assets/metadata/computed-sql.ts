import { type SQL, sql } from 'drizzle-orm';
import { eachEntity, eachOf, query, type Reach, value, valuesOf } from '../../core/store/statement.ts';
import { storageGroupMember } from '../../storage/public-reading.ts';
import { collectionsAbove } from '../containment/walks-sql.ts';

/** Queries over tables of later rooms, whose rows become computed fields. */

const max = value('max');

/** For a row of lists, of which the longest counts. */
const eachList: Reach<Readonly<Record<string, string>>> = {
  each: 'ids',
  upTo: 'max',
  counts: ([row]) => Math.max(...Object.values(row!).map((text) => (JSON.parse(text) as readonly unknown[]).length)),
};

const above = (type: SQL) => sql`WITH RECURSIVE
    ${collectionsAbove(sql`SELECT value AS root, ${type} AS type, value AS id FROM ${eachOf('ids')}`)}
    SELECT json_group_array(json_array(root, id)) FROM (SELECT root, id FROM up LIMIT ${max})`;

const parents = (type: SQL) => sql`SELECT json_group_array(json_array(member_id, collection_id)) FROM (
    SELECT * FROM (SELECT member_id, collection_id FROM ${eachOf('ids')} AS given CROSS JOIN collection_member
      WHERE member_type = ${type} AND member_id = given.value LIMIT ${max}) ORDER BY collection_id)`;

const item = sql.raw(`'item'`);
const collection = sql.raw(`'collection'`);

/** Rows of entities, a JSON list of lists for each kind of row. Each has at most so many. */
type RowLists<T extends readonly (readonly unknown[])[]> = { readonly [K in keyof T]: readonly T[K][] };

export type Parent = readonly [member: string, collection: string];
export type ItemShape = readonly [id: string, item: string, serial: number, version: number, placeholder: number];
export type ItemFile = readonly [item: string, shape: string, serial: number, storage: string, hash: string | null];

export type ItemRows = RowLists<
  [Parent, Parent, readonly [item: string, count: number], ItemShape, readonly [shape: string, tag: string], ItemFile]
>;

/**
 * Facts of items beside their metadata: collections at any depth, direct ones, numbers of sequences, shapes by
 * version and age with their tags, and distinct files, oldest first.
 */
export const itemRows = query(
  sql`SELECT (${above(item)}), (${parents(item)}),
    (SELECT json_group_array(json_array(owner_id, counted)) FROM (SELECT owner_id, count(*) AS counted FROM attachment
      WHERE owner_type = 'item' AND kind = 'sequence' AND owner_id IN ${valuesOf('ids')} GROUP BY owner_id)),
    (SELECT json_group_array(json_array(id, item_id, serial, essence_version, placeholder)) FROM (
      SELECT * FROM (SELECT id, item_id, serial, essence_version, placeholder FROM shape
        WHERE item_id IN ${valuesOf('ids')} LIMIT ${max}) ORDER BY essence_version, serial)),
    (SELECT json_group_array(json_array(shape_id, tag)) FROM (
      SELECT shape_id, tag FROM (SELECT shape_id, tag, position FROM shape_tagged
        WHERE item_id IN ${valuesOf('ids')} LIMIT ${max}) ORDER BY shape_id, position)),
    (SELECT json_group_array(json_array(item_id, id, serial, storage_id, hash)) FROM (
      SELECT DISTINCT * FROM (SELECT shape.item_id, shape.id, file.serial AS serial, file.storage_id, file.hash
        FROM ${eachOf('ids')} AS given
        CROSS JOIN file_use ON file_use.item_id = given.value
        CROSS JOIN shape ON shape.id = file_use.shape_id
        CROSS JOIN file ON file.id = file_use.file_id
        CROSS JOIN storage ON storage.id = file.storage_id AND storage.deleted_at IS NULL
        LIMIT ${max}) ORDER BY serial))`,
  {
    above: sql<string>``,
    parents: sql<string>``,
    sequences: sql<string>``,
    shapes: sql<string>``,
    tags: sql<string>``,
    files: sql<string>``,
  },
).reaching(eachList);

export type CollectionRows = RowLists<
  [Parent, Parent, readonly [id: string, items: number, collections: number, isMapped: number]]
>;

/** Collections above collections, numbers of their members, and whether a folder is mapped to them. */
export const collectionRows = query(
  sql`SELECT (${above(collection)}), (${parents(collection)}),
    (SELECT json_group_array(json_array(id, items, collections, EXISTS (
        SELECT 1 FROM collection_folder WHERE mapped = 1 AND collection_id = collection.id)))
      FROM collection WHERE id IN ${valuesOf('ids')})`,
  { above: sql<string>``, parents: sql<string>``, counts: sql<string>`` },
).reaching(eachList);

/** Groups of storages. `ids`: JSON array. */
export const groupsOfStorages = query(
  sql`SELECT storage_id, group_name FROM storage_group_member
    WHERE storage_id IN ${valuesOf('ids')}`,
  { storageId: storageGroupMember.storageId, group: storageGroupMember.groupName },
).reaching(eachEntity('ids'));
