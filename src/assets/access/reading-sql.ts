import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import { closure } from '../../core/store/closure-sql.ts';
import { resultColumns } from '../../core/store/rows.ts';
import { eachEntity, eachOf, oneEntity, query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import { groupLinks } from '../../identity/public-reading.ts';
import { administrator } from '../../security/subject.ts';
import { collection, item, library } from '../containment/tables.ts';
import { containersAbove, maxDepth } from '../containment/walks-sql.ts';
import type { Guarded } from './levels.ts';
import type { AppliedEntry } from './precedence.ts';
import { accessEntry } from './tables.ts';
import { accessCounter, revisionOfAccess } from './triggers-sql.ts';

/** Table `above (root, id, distance)` of a recursive query: groups of a start, and those above. */
export const groupsAboveEach = (start: SQL): SQL => closure('above', start, groupLinks.up, 'root, id', maxDepth);

/** Entries that reach some entities, each by its shortest path. */
export const entriesThatReach = query(
  sql`WITH RECURSIVE
    ${containersAbove(sql`SELECT key AS root, value ->> 0 AS type, value ->> 1 AS id FROM ${eachOf('places')}`)}
    SELECT root, entry.id, entry.entity_type, entry.entity_id, min(distance), entry.user_id, entry.group_id,
        entry.permission, entry.priority, entry.operation, entry.extradata, entry.grantor_id, entry.rooted
      FROM up CROSS JOIN access_entry AS entry ON entry.entity_type = up.type AND entry.entity_id = up.id
      WHERE entry.reach & CASE WHEN distance = 0 THEN 1
        ELSE (CASE up.kind WHEN 'item' THEN 2 WHEN 'collection' THEN 8 ELSE 32 END) << (distance > 1) END
        -- What a library finds is not of those who made it: only administrators give rights in it.
        AND (found = 0 OR (entry.rooted = 1 AND entry.permission <> 'OWNER'))
      GROUP BY root, entry.entity_type, entry.entity_id, entry.id`,
  {
    root: sql<number>``,
    id: accessEntry.id,
    type: accessEntry.entityType,
    entityId: accessEntry.entityId,
    distance: sql<number>``,
    userId: accessEntry.userId,
    groupId: accessEntry.groupId,
    permission: sql<AppliedEntry['permission']>``,
    priority: accessEntry.priority,
    operation: accessEntry.operation,
    extradata: accessEntry.extradata,
    grantorId: accessEntry.grantorId,
    rooted: accessEntry.rooted,
  },
);

/**
 * Users with their groups at any depth, and the distance of each. `groups`: only these, besides that of administrators;
 * NULL: all.
 */
export const groupsOfUsers = query(
  sql`WITH RECURSIVE ${groupsAboveEach(sql`SELECT user_id, group_id, 0 FROM ${eachOf('users')} AS given
        CROSS JOIN group_user ON user_id = given.value`)}
    SELECT root, id, min(distance) FROM above
      WHERE ${value('groups')} IS NULL OR id IN ${valuesOf('groups')}
        OR id = (SELECT id FROM "group" WHERE name = ${administrator})
      GROUP BY root, id`,
  { userId: sql<string>``, groupId: sql<string>``, distance: sql<number>`` },
).reaching(eachEntity('users'));

export const usersAmong = query(
  sql`SELECT user.id, user.enabled, (SELECT id FROM "group" WHERE name = ${administrator})
    FROM ${eachOf('users')} AS given CROSS JOIN user ON user.id = given.value`,
  { id: sql<string>``, enabled: sql<number>``, administrators: sql<string | null>`` },
).reaching(eachEntity('users'));

/** Entries beside those of its context count for the entity: of libraries, or about addresses. */
const isApart = (kind: Guarded) =>
  sql<number>`${sql.raw(`(EXISTS (SELECT 1 FROM access_entry
      WHERE entity_type = '${kind}' AND entity_id = ${kind}.id AND operation = 'URI')
    ${kind === 'item' ? 'OR EXISTS (SELECT 1 FROM library_item WHERE item_id = item.id AND passes = 1)' : ''})`)}`;

/** Columns that each kind has. */
type Placed = Readonly<Record<'id' | 'context', SQLiteColumn>>;

const placedOf = <C extends Placed>(kind: Guarded, columns: C) => {
  const [id, context] = [sql<string>`${columns.id}`, sql<number | null>`${columns.context}`];
  const decides = { isApart: isApart(kind), revision: sql<number>`${sql.raw(revisionOfAccess)}` };
  const [row, place] = [
    { ...columns, ...decides },
    { id, context, ...decides },
  ];
  const table = sql.identifier(kind);
  return {
    one: query(sql`SELECT ${resultColumns(row)} FROM ${table} WHERE ${id} = ${value('id')}`, row).reaching(oneEntity)
      .first,
    many: query(
      sql`SELECT ${resultColumns(place)} FROM ${eachOf('ids')} AS given CROSS JOIN ${table} ON ${id} = given.value`,
      place,
    ).reaching(eachEntity('ids')),
  };
};

/**
 * Entities by kind, with what decides about access beside their context, and the revision of access. Rooms find their
 * entities by the same statement, so that the check of an entity has its row in the snapshot of the turn.
 */
export const placed = {
  item: placedOf('item', getTableColumns(item)),
  collection: placedOf('collection', getTableColumns(collection)),
  library: placedOf('library', getTableColumns(library)),
} as const satisfies Readonly<Record<Guarded, unknown>>;

/** Revision of access, and the newest context: lists of contexts hold as long as both stay. */
const revisions = query(
  sql`SELECT (SELECT value FROM counter WHERE name = ${value('name')}), (SELECT max(id) FROM access_context)`,
  { revision: sql<number>``, newest: sql<number | null>`` },
).reaching(oneEntity).first;

export type AccessRevision = NonNullable<Awaited<ReturnType<typeof revisions>>>;

/** By one text, so that requests of one turn share the look-up. */
export const accessRevision = (reader: Reader): Maybe<AccessRevision> =>
  after(revisions(reader, { name: accessCounter }), (now) => now!);
