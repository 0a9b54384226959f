import { sql } from 'drizzle-orm';
import { dueWhile } from '../../../core/store/due.ts';
import { guard } from '../../../core/store/guard.ts';
import { deleteBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, steadyRows, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { collectionsAbove } from '../../containment/walks-sql.ts';
import { collectionField, inheritanceChange, metadataGroupUse } from '../tables.ts';

const inheritedDefinitions = sql`SELECT 'field' AS kind, name FROM metadata_field WHERE rest ->> '$.inheritance' = 'true'
    UNION ALL SELECT 'group', name FROM metadata_field_group WHERE rest ->> '$.inheritance' = 'true'`;

/** Fields and groups that items inherit from collections. */
export const inheritedNames = query(inheritedDefinitions, { kind: sql<string>``, name: sql<string>`` }).reaching(
  steadyRows,
);

/**
 * Collections above items with something to inherit, without duplicates, the nearest first: SQLite processes the recursive
 * queue in order. Members count if the user who added them had WRITE on them.
 */
export const inheritedSources = query(
  sql`WITH RECURSIVE
    ${collectionsAbove(sql`SELECT value AS root, 'item' AS type, value AS id FROM ${eachOf('ids')}`, 'inherits')}
    SELECT root, up.id, collection.absolute_time FROM up CROSS JOIN collection ON collection.id = up.id
      WHERE EXISTS (SELECT 1 FROM (${inheritedDefinitions}) AS wanted CROSS JOIN collection_field
        WHERE collection_id = up.id AND collection_field.kind = wanted.kind AND collection_field.name = wanted.name)
      LIMIT ${value('max')}`,
  { root: sql<string>``, id: sql<string>``, absoluteTime: sql<number>`` },
).reaching({ upTo: 'max' });

const removeOthers = statement<{ id: string; names: readonly unknown[] }>(
  sql`DELETE FROM ${writes('collection_field')} WHERE collection_id = ${value('id')} AND (kind, name) NOT IN
    (SELECT value ->> 0, value ->> 1 FROM ${eachOf('names')})`,
);

const insertNames = statement<{ id: string; names: readonly unknown[] }>(
  sql`INSERT INTO ${writes('collection_field')} (collection_id, kind, name)
    SELECT ${value('id')}, value ->> 0, value ->> 1 FROM ${eachOf('names')} WHERE TRUE
    ON CONFLICT DO NOTHING`,
);

export const writeNames = (id: string, names: readonly unknown[]) => [
  removeOthers({ id, names }),
  insertNames({ id, names }),
];

export const removeNames = deleteBy(collectionField, 'collectionId');

type Uses = { readonly kind: string; readonly id: string; readonly serial: number; readonly names: readonly unknown[] };

const removeOtherUses = statement<Uses>(
  sql`DELETE FROM ${writes('metadata_group_use')} WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')}
    AND owner_serial = ${value('serial')} AND name NOT IN ${valuesOf('names')}`,
);

const insertUses = statement<Uses>(
  sql`INSERT INTO ${writes('metadata_group_use')} (owner_type, owner_serial, owner_id, name)
    SELECT ${value('kind')}, ${value('serial')}, ${value('id')}, value FROM ${eachOf('names')} WHERE TRUE
    ON CONFLICT DO NOTHING`,
);

export const writeUses = (uses: Uses) => [removeOtherUses(uses), insertUses(uses)];

export const removeInheritedUses = deleteBy(metadataGroupUse, 'ownerType', 'ownerId');

const isInherited = (table: 'metadata_field' | 'metadata_field_group', kind: string) => sql`EXISTS (
  SELECT 1 FROM ${eachOf('names')} AS given CROSS JOIN ${sql.identifier(table)} AS definition
    WHERE given.value ->> 0 = ${sql.raw(`'${kind}'`)} AND definition.name = given.value ->> 1
      AND definition.rest ->> '$.inheritance' = 'true')`;

/** Queues a collection with changed values, if any of them is inherited. `names`: kinds and names. */
export const tellItemsBelow = statement<{ id: string; names: readonly unknown[] }>(
  sql`INSERT INTO ${writes('inheritance_change')} (type, id, run, position) SELECT 'collection', ${value('id')}, 1, ''
    WHERE ${isInherited('metadata_field', 'field')} OR ${isInherited('metadata_field_group', 'group')}
    ON CONFLICT (type, id) DO UPDATE SET run = run + 1, position = ''`,
);

const { type, id, run, position } = inheritanceChange;

export const changedItems = query((db) =>
  db.select({ id, run }).from(inheritanceChange).where(sql`${type} = 'item'`).orderBy(id).limit(value('limit')),
);

export const changedCollection = query((db) =>
  db.select({ id, run, position }).from(inheritanceChange).where(sql`${type} = 'collection'`).orderBy(id).limit(1),
).first;

/** Deletes processed items, unless they changed again. `rows`: JSON array of ids with runs. */
export const forgetItems = statement<{ rows: readonly unknown[] }>(
  sql`DELETE FROM ${writes('inheritance_change')} WHERE (type, id, run) IN
    (SELECT 'item', value ->> 0, value ->> 1 FROM ${eachOf('rows')})`,
);

type Standing = { readonly id: string; readonly run: number; readonly position: string };

export const changeStands = guard<Standing>(
  sql`EXISTS (SELECT 1 FROM inheritance_change WHERE type = 'collection' AND id = ${value('id')}
    AND run = ${value('run')} AND position = ${value('position')})`,
);

/** The next members after a cursor. */
export const membersBehind = query(
  sql`SELECT member_type, member_id FROM collection_member WHERE collection_id = ${value('id')}
      AND (member_type, member_id) > (${value('type')}, ${value('member')}) AND member_type <> 'library'
    ORDER BY member_type, member_id LIMIT ${value('limit')}`,
  { type: sql<'item' | 'collection'>``, id: sql<string>`` },
);

/** Queues entities. `rows`: JSON array of types and ids. */
export const insertChanges = statement<{ rows: readonly unknown[] }>(
  sql`INSERT INTO ${writes('inheritance_change')} (type, id, run, position)
    SELECT value ->> 0, value ->> 1, 1, '' FROM ${eachOf('rows')} WHERE TRUE
    ON CONFLICT (type, id) DO UPDATE SET run = run + 1, position = ''`,
);

export const advanceChange = statement<{ id: string; position: string }>(
  sql`UPDATE ${writes('inheritance_change')} SET position = ${value('position')} WHERE type = 'collection' AND id = ${value('id')}`,
);

export const forgetCollection = statement<{ id: string }>(
  sql`DELETE FROM ${writes('inheritance_change')} WHERE type = 'collection' AND id = ${value('id')}`,
);

export const changesDue = dueWhile(sql`SELECT 1 FROM inheritance_change`);

/** Number of queued entities, up to a limit. */
export const countChanges = query(
  sql`SELECT count(*) FROM (SELECT 1 FROM inheritance_change LIMIT ${value('limit')})`,
  { count: sql<number>`` },
);
