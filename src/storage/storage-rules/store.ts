import { sql } from 'drizzle-orm';
import { guard } from '../../core/store/guard.ts';
import { putInto, resultColumns } from '../../core/store/rows.ts';
import { eachOf, query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { freeBytes, usedBytes } from '../storages/store.ts';
import { storage, storageGroup, storageRule } from '../tables.ts';

const ofEntity = sql`${storageRule.entityType} = ${value('type')} AND ${storageRule.entityId} = ${value('id')}`;

export const rulesOf = query((db) =>
  db.select().from(storageRule).where(ofEntity).orderBy(storageRule.tag).limit(value('limit')).offset(value('offset')),
);

export type RuleRow = Awaited<ReturnType<typeof rulesOf>>[number];

export const findRule = query((db) =>
  db
    .select()
    .from(storageRule)
    .where(sql`${ofEntity} AND ${storageRule.tag} = ${value('tag')}`),
).first;

/** Rules in the order of their key. Empty lists: all types, all tags. */
export const listRules = query((db) =>
  db
    .select()
    .from(storageRule)
    .where(
      sql`(json_array_length(${value('types')}) = 0 OR ${storageRule.entityType} IN ${valuesOf('types')})
        AND (json_array_length(${value('tags')}) = 0 OR ${storageRule.tag} IN ${valuesOf('tags')})`,
    )
    .orderBy(storageRule.entityType, storageRule.entityId, storageRule.tag)
    .limit(value('limit'))
    .offset(value('offset')),
);

/** The rules about any of these, and about all items, for these tags or whatever the tag is. */
export const rulesAmong = query((db) =>
  db
    .select()
    .from(storageRule)
    .where(
      sql`((${storageRule.entityType} = 'GENERIC' AND ${storageRule.entityId} = '')
          OR (${storageRule.entityType} = 'ITEM' AND ${storageRule.entityId} IN ${valuesOf('items')})
          OR (${storageRule.entityType} = 'SHAPE' AND ${storageRule.entityId} IN ${valuesOf('shapes')})
          OR (${storageRule.entityType} = 'LIBRARY' AND ${storageRule.entityId} IN ${valuesOf('libraries')})
          OR (${storageRule.entityType} = 'COLLECTION' AND ${storageRule.entityId} IN ${valuesOf('collections')}))
        AND (${storageRule.tag} = '' OR ${storageRule.tag} IN ${valuesOf('tags')})`,
    )
    .orderBy(storageRule.entityType, storageRule.entityId, storageRule.tag),
);

export const putRule = putInto(storageRule, ['entityType', 'entityId', 'tag']);

type RuleKey = { readonly type: string; readonly id: string; readonly tag: string };
const thisOne = sql`entity_type = ${value('type')} AND entity_id = ${value('id')} AND tag = ${value('tag')}`;
export const ruleThere = guard<RuleKey>(sql`EXISTS (SELECT 1 FROM storage_rule WHERE ${thisOne})`);
export const removeRule = statement<RuleKey>(sql`DELETE FROM ${writes('storage_rule')} WHERE ${thisOne}`);

const storagesAmong = query((db) =>
  db
    .select({ name: storage.id })
    .from(storage)
    .where(sql`${storage.id} IN ${valuesOf('names')} AND ${storage.deletedAt} IS NULL`),
);

const groupsAmong = query((db) =>
  db
    .select({ name: storageGroup.name })
    .from(storageGroup)
    .where(sql`${storageGroup.name} IN ${valuesOf('names')}`),
);

/** The first name that no storage, or no group, has. */
export async function firstMissing(
  reader: Reader,
  kind: 'storage' | 'group',
  names: readonly string[],
): Promise<string | undefined> {
  const among = kind === 'storage' ? storagesAmong : groupsAmong;
  const namesInUse = new Set((await among(reader, { names })).map(({ name }) => name));
  return names.find((name) => !namesInUse.has(name));
}

export const storagesThere = guard<{ names: readonly string[]; count: number }>(
  sql`(SELECT COUNT(*) FROM storage WHERE id IN ${valuesOf('names')} AND deleted_at IS NULL) = ${value('count')}`,
);
export const groupsThere = guard<{ names: readonly string[]; count: number }>(
  sql`(SELECT COUNT(*) FROM storage_group WHERE name IN ${valuesOf('names')}) = ${value('count')}`,
);

/** Condition that a storage accepts new files: a writable method, and neither evacuated nor missing. */
export const takesFiles = sql`storage.deleted_at IS NULL AND storage.state IN ('NONE', 'READY')
  AND EXISTS (SELECT 1 FROM storage_method WHERE storage_id = storage.id AND write = 1)`;

const inGroups = (name: string) =>
  sql`EXISTS (SELECT 1 FROM storage_group_member WHERE storage_id = storage.id AND group_name IN ${valuesOf(name)})`;
const excluded = sql`storage.id NOT IN ${valuesOf('notStorages')} AND NOT ${inGroups('notGroups')}`;

/** Bytes a second. */
const bandwidth = sql`COALESCE(json_extract(rest, '$.bandwidth'),
  (SELECT MAX(bandwidth) FROM storage_method WHERE storage_id = storage.id AND write = 1), 0)`;

const ruledColumns = {
  id: storage.id,
  serial: storage.serial,
  type: storage.type,
  state: storage.state,
  priority: storage.priority,
  capacity: storage.capacity,
  lowWatermark: storage.lowWatermark,
  highWatermark: storage.highWatermark,
  rest: storage.rest,
  free: sql<number>`${freeBytes}`,
  used: sql<number>`${usedBytes}`,
  going: sql<number>`COALESCE((SELECT bytes FROM file_usage WHERE storage_id = storage.id AND state = 'TO_BE_DELETED'), 0)`,
  bandwidth: sql<number>`${bandwidth}`,
  writes: sql<number>`EXISTS (SELECT 1 FROM storage_method WHERE storage_id = storage.id AND write = 1)`,
  groups: sql<string>`(SELECT json_group_array(group_name) FROM storage_group_member WHERE storage_id = storage.id)`,
};
const ruled = sql`SELECT ${resultColumns(ruledColumns)} FROM storage WHERE deleted_at IS NULL`;

/** With what rules ask of them, in the order of their serials. */
export const ruledStoragesBehind = query(
  sql`${ruled} AND serial > ${value('after')}
    ORDER BY serial LIMIT ${value('limit')}`,
  ruledColumns,
);

export const ruledStoragesNamed = query(sql`${ruled} AND id IN ${valuesOf('ids')}`, ruledColumns);

export type RuledRow = Awaited<ReturnType<typeof ruledStoragesBehind>>[number];

/** Above its high watermark: only where no other one is left. */
const full = sql`(capacity - free) * 100 >= capacity * high_watermark`;

const idColumn = { id: storage.id };

/** The first of the named storages that takes new files. */
export const firstNamed = query(
  sql`WITH candidate AS (
      SELECT storage.id, given.key AS place, capacity, high_watermark, ${freeBytes} AS free
        FROM ${eachOf('storages')} AS given JOIN storage ON storage.id = given.value
        WHERE ${takesFiles} AND storage.type IN ('LOCAL', 'REMOTE') AND ${excluded}
    )
    SELECT id FROM candidate ORDER BY ${full}, place LIMIT 1`,
  idColumn,
);

const byCriterion = (name: string) =>
  sql`CASE ${value(name)} WHEN 'bandwidth' THEN -bandwidth WHEN 'capacity' THEN -free ELSE 0 END`;

/** The best of the others: of these groups and storages, or of all where both lists are null. */
export const bestOf = query(
  sql`WITH candidate AS (
      SELECT storage.id, serial, capacity, high_watermark, ${freeBytes} AS free,
          ${bandwidth} AS bandwidth
        FROM storage
        WHERE ${takesFiles} AND ${excluded} AND CASE WHEN ${value('anywhere')} THEN storage.type = 'LOCAL'
          ELSE storage.type IN ('LOCAL', 'REMOTE') AND (storage.id IN ${valuesOf('storages')} OR ${inGroups('groups')}) END
    )
    SELECT id FROM candidate
      ORDER BY ${full}, ${byCriterion('first')}, ${byCriterion('second')}, -free, serial LIMIT 1`,
  idColumn,
);
