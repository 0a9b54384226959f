import { type Condition, mayHaveAll, readableWhere, type Viewer } from '../../access/public-reading.ts';
import { collectionsAbove, collectionsBelow } from '../../containment/walks-sql.ts';
import type { Fact, Level, Test } from './ast.ts';
import { around, fragment, joined } from './conditions.ts';

type Line = (id: string, viewer: Viewer) => string | Condition;

/** Direct parent collections that the viewer may read. */
const parents =
  (type: string, column: string): Line =>
  (id, viewer) =>
    around(
      `SELECT ${column} AS value FROM collection_member WHERE member_type = '${type}' AND member_id = ${id} AND @`,
      readableWhere(viewer, 'collection', 'collection_member.collection_id'),
    );

/** Parent collections on all levels. */
const above =
  (type: string, column: string): Line =>
  (id, viewer) =>
    around(
      `SELECT ${column} AS value FROM (
      WITH RECURSIVE ${collectionsAbove(`SELECT 0 AS root, '${type}' AS type, ${id} AS id`)} SELECT id FROM up WHERE @)`,
      readableWhere(viewer, 'collection', 'up.id'),
    );

/** Number of members of a kind that the viewer may read. Counters tell it who may read all. */
const counted =
  (kind: 'item' | 'collection'): Line =>
  (id, viewer) => {
    if (mayHaveAll(viewer, kind)) return `SELECT ${kind}s AS value FROM collection WHERE id = ${id}`;
    return around(
      `SELECT count(*) AS value FROM collection_member WHERE collection_id = ${id} AND member_type = '${kind}' AND @`,
      readableWhere(viewer, kind, 'collection_member.member_id'),
    );
  };

const shapes =
  (column: string, where = ''): Line =>
  (id) =>
    `SELECT ${column} AS value FROM shape WHERE item_id = ${id}${where}`;

const storages =
  (column: string, more = ''): Line =>
  (id) =>
    `SELECT ${column} AS value FROM file_use CROSS JOIN file ON file.id = file_use.file_id
      CROSS JOIN storage ON storage.id = file.storage_id AND storage.deleted_at IS NULL${more} WHERE file_use.item_id = ${id}`;

const inGroups = ' CROSS JOIN storage_group_member AS grouped ON grouped.storage_id = storage.id';

const locks =
  (type: string, column: string): Line =>
  (id) =>
    `SELECT ${column} AS value FROM deletion_lock WHERE entity_type = '${type}' AND entity_id = ${id}`;

/** Terms of use count together: the latest begin and the earliest end. */
const usable =
  (type: string, column: string, decides: 'max' | 'min'): Line =>
  (id) =>
    `SELECT ${decides}(${column}) AS value FROM (
      WITH RECURSIVE ${collectionsAbove(`SELECT 0 AS root, '${type}' AS type, ${id} AS id`, 'passes')}
      SELECT ${column} FROM up CROSS JOIN usage_term ON entity_type = 'collection' AND entity_id = up.id
      UNION ALL SELECT ${column} FROM usage_term WHERE entity_type = '${type}' AND entity_id = ${id})`;

const changed =
  (type: string): Line =>
  (id) =>
    `SELECT changed_at AS value FROM metadata_state WHERE owner_type = '${type}' AND owner_id = ${id}`;

/** Values of a field outside of timespans, from the stored metadata. */
const described =
  (type: string, field: string): Line =>
  (id) =>
    `SELECT CASE word.type WHEN 'text' THEN word.value ELSE word.value ->> 0 END AS value FROM metadata_state AS described, json_each(described.doc, '$.s') AS span,
      json_each(span.value, '$[1]') AS field, json_each(field.value, '$[2]') AS word
      WHERE owner_type = '${type}' AND owner_id = ${id}
        AND span.value ->> 0 = 0 AND field.value ->> 0 = '${field}'`;

const own =
  (table: string, column: string): Line =>
  (id) =>
    `SELECT ${column} AS value FROM ${table} WHERE id = ${id}`;

const fileColumns: Readonly<Record<string, string>> = {
  fileId: 'id',
  id: 'id',
  storage: 'storage_id',
  path: 'path',
  filename: 'name',
  extension: 'extension',
  state: 'state',
  size: 'size',
  timestamp: 'timestamp',
  hash: 'hash',
};

const lines: Readonly<Partial<Record<Level, Readonly<Record<string, Line>>>>> = {
  item: {
    itemId: own('item', 'id'),
    created: own('item', 'created_at'),
    user: described('item', 'user'),
    mediaType: described('item', 'mediaType'),
    __collection: parents('item', 'collection_id'),
    __collection_size: parents('item', 'count(*)'),
    __ancestor_collection: above('item', 'id'),
    __ancestor_collection_size: above('item', 'count(*)'),
    __shape: shapes('id'),
    __shape_size: shapes('count(*)'),
    __placeholder_shape_size: shapes('count(*)', ' AND placeholder = 1'),
    __version: shapes('essence_version'),
    __version_count: shapes('count(DISTINCT essence_version)'),
    __version_size: shapes('count(DISTINCT essence_version)'),
    __shape_last_added: (id) => `SELECT id AS value FROM shape WHERE item_id = ${id} ORDER BY serial DESC LIMIT 1`,
    __sequence_size: (id) =>
      `SELECT count(*) AS value FROM attachment WHERE owner_type = 'item' AND owner_id = ${id} AND kind = 'sequence'`,
    __storage: storages('file.storage_id'),
    __storage_size: storages('count(DISTINCT file.storage_id)'),
    __storagegroup: storages('grouped.group_name', inGroups),
    __storagegroup_size: storages('count(DISTINCT grouped.group_name)', inGroups),
    __metadata_last_modified: changed('item'),
    __deletion_lock_id: locks('item', 'id'),
    __deletion_lock_expiry: locks('item', 'expires_at'),
    __usable_from: usable('item', 'usable_from', 'max'),
    __usable_until: usable('item', 'usable_until', 'min'),
    storageOfTag: storages(
      'file.storage_id',
      ' CROSS JOIN shape_tagged ON shape_tagged.shape_id = file_use.shape_id AND shape_tagged.tag = ?',
    ),
    hashOfTag: storages(
      'file.hash',
      ' CROSS JOIN shape_tagged ON shape_tagged.shape_id = file_use.shape_id AND shape_tagged.tag = ?',
    ),
  },
  collection: {
    collectionId: own('collection', 'id'),
    created: own('collection', 'created_at'),
    user: described('collection', 'user'),
    __parent_collection: parents('collection', 'collection_id'),
    __parent_collection_size: parents('collection', 'count(*)'),
    __ancestor_collection: above('collection', 'id'),
    __ancestor_collection_size: above('collection', 'count(*)'),
    __items_size: counted('item'),
    __child_collection_size: counted('collection'),
    __metadata_last_modified: changed('collection'),
    __deletion_lock_id: locks('collection', 'id'),
    __deletion_lock_expiry: locks('collection', 'expires_at'),
    __usable_from: usable('collection', 'usable_from', 'max'),
    __usable_until: usable('collection', 'usable_until', 'min'),
  },
  shape: {
    shapeId: own('shape', 'id'),
    id: own('shape', 'id'),
    itemId: own('shape', 'item_id'),
    tag: (id) => `SELECT tag AS value FROM shape_tagged WHERE shape_id = ${id}`,
    shapeTag: (id) => `SELECT tag AS value FROM shape_tagged WHERE shape_id = ${id}`,
    mimeType: (id) =>
      `SELECT kind.value AS value FROM shape CROSS JOIN json_each(shape.mime_types) AS kind WHERE shape.id = ${id}`,
    essenceVersion: own('shape', 'essence_version'),
    created: own('shape', 'created_at'),
    format: (id) =>
      `SELECT document ->> 'format' AS value FROM component WHERE shape_id = ${id} AND kind = 'container'`,
    codec: (id) => `SELECT document ->> 'codec' AS value FROM component WHERE shape_id = ${id}`,
    key: (id) => `SELECT value FROM key_value WHERE entity_type = 'shape' AND entity_id = ${id} AND key = ?`,
  },
  file: {
    ...Object.fromEntries(Object.entries(fileColumns).map(([name, column]) => [name, own('file', column)])),
    key: (id) => `SELECT value FROM key_value WHERE entity_type = 'file' AND entity_id = ${id} AND key = ?`,
  },
};

/** Values of a fact as a query with the column `value`, restricted to what the viewer may see. */
export function valuesOfFact({ of, name, key }: Fact, id: string, viewer: Viewer): Condition {
  const line = lines[of]![name]!(id, viewer);
  return typeof line === 'string' ? { text: line, values: key === undefined ? [] : [key] } : line;
}

/** Column with the fact in the row of the entity, for conditions that use an index. */
export function columnOfFact({ of, name }: Fact, id: string): string | undefined {
  if (name === 'itemId' && of === 'item') return id;
  if (name === 'collectionId' && of === 'collection') return id;
  if (name === 'created' && (of === 'item' || of === 'collection')) return id.replace(/(?:entity_)?id$/, 'created_at');
  const column = of === 'file' ? fileColumns[name] : undefined;
  return column === undefined ? undefined : id.replace(/id$/, column);
}

/**
 * Items or collections below a collection on any level that the viewer may read. Cheaper than checking the parents of
 * each hit.
 */
export const belowCollection = (of: 'item' | 'collection', id: string, top: string, viewer: Viewer): Condition =>
  joined(
    [
      around('@', readableWhere(viewer, 'collection', '?'), ...(viewer.administrator ? [] : [top])),
      fragment(below(of, id), top),
    ],
    'AND',
  );

const below = (of: 'item' | 'collection', id: string): string => `${id} IN (
  WITH RECURSIVE ${collectionsBelow('SELECT ?')}
  SELECT member_id FROM down CROSS JOIN collection_member WHERE collection_id = down.id AND member_type = '${of}')`;

const usableColumns = { __usable_from: 'usable_from', __usable_until: 'usable_until' } as const;

/** Column of terms of use with a fact. Undefined: another fact. */
export const termsColumn = ({ name }: Fact): (typeof usableColumns)[keyof typeof usableColumns] | undefined =>
  Object.hasOwn(usableColumns, name) ? usableColumns[name as keyof typeof usableColumns] : undefined;

/** Test of the terms beside which others decide: those with a later begin, or an earlier end. Undefined: there are none. */
export function decidingTest(column: 'usable_from' | 'usable_until', test: Test): Test | undefined {
  const isEnd = column === 'usable_until';
  const bound =
    test.is === 'equals'
      ? { value: test.value, open: false }
      : test.is !== 'between'
        ? undefined
        : isEnd
          ? test.from
          : test.to;
  if (bound === undefined) return undefined;
  const beyond = { value: bound.value, open: !bound.open };
  return isEnd ? { is: 'between', to: beyond } : { is: 'between', from: beyond };
}

/** Items or collections with terms that meet a condition, found by the terms, and not one by one. */
export function termedBy(of: 'item' | 'collection', id: string, condition: Condition): Condition {
  const { text, values } = condition;
  const termed = (type: string) => `SELECT entity_id FROM usage_term WHERE entity_type = '${type}' AND ${text}`;
  return fragment(
    `${id} IN (WITH RECURSIVE ${collectionsBelow(termed('collection'), 'passes')}
      ${termed(of)} UNION ALL SELECT member_id FROM down CROSS JOIN collection_member
        WHERE collection_id = down.id AND passes = 1 AND member_type = '${of}')`,
    ...values,
    ...values,
  );
}
