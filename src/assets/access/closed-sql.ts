import type { SqlValue } from '../../core/store/contract.ts';
import { oneEntity, query, sql, value } from '../../core/store/statement.ts';
import {
  downFrom,
  granted,
  grantsInContexts,
  grantsOnContainers,
  heldGrantIds,
  ofOwner,
  ownIsOn,
  principals,
  rank,
  seedIsOn,
  shifted,
} from './contexts-sql.ts';
import type { Guarded } from './levels.ts';
import type { Condition } from './store.ts';

/** Parts that entries can close to a viewer who may read the entity. */
type Closable = 'METADATA' | 'SHAPE';

const isThere = (operation: Closable): string =>
  [
    ["'u:'", 'entry.user_id = given.value ->> 1'],
    ["'g:'", 'entry.user_id IS NULL AND entry.group_id = given.value ->> 1'],
  ]
    .map(
      ([word, grantee]) => `EXISTS (SELECT 1 FROM json_each(principals) AS given CROSS JOIN access_entry AS entry
        ON entry.operation = '${operation}' AND entry.permission = 'NONE' AND ${grantee} WHERE given.value ->> 0 = ${word})`,
    )
    .join(' OR ');

/** Whether any entry closes parts to these principals. A partial index contains such entries alone. */
export const closingFor = query(
  sql`SELECT ${sql.raw(isThere('METADATA'))}, ${sql.raw(isThere('SHAPE'))} FROM (SELECT ${value('principals')} AS principals)`,
  { fields: sql<number>``, shapes: sql<number>`` },
).reaching(oneEntity).first;

/** Whether an entry for an operation has the level NONE, and so denies what others give. */
const isClosing = '(rank & 7 = 7 AND rank & 24)';

/**
 * Entries for an operation on entities with a closed part: by context, and for items of libraries by item. `name`:
 * field or tag of the entries; NULL: all.
 */
const targetsOf = (operation: Closable): string => {
  const counts = `(entry.operation IS NULL OR entry.operation = '${operation}')`;
  const detail = 'CASE WHEN entry.operation IS NULL THEN 0 WHEN entry.extradata IS NULL THEN 1 ELSE 2 END';
  const seed = granted(
    `entry.entity_type, entry.entity_id, entry.reach, ${rank('entry', detail)},
        entry.rooted = 1 AND entry.permission <> 'OWNER', entry.extradata`,
    seedIsOn,
    counts,
  );
  return `${downFrom(seed, ', name')}, rated (context, name, rank) AS MATERIALIZED (
      SELECT own.context, NULL, ${rank('own')} | ${shifted('0')} | ${ofOwner} FROM principal
        CROSS JOIN access_context_entry AS own ON own.principal = principal.word || principal.id WHERE ${ownIsOn}
      UNION ALL
      SELECT own.context, own.extradata,
          ${rank('own', 'CASE WHEN own.extradata IS NULL THEN 1 ELSE 2 END')} | ${shifted('0')} FROM principal
        CROSS JOIN access_context_operation AS own ON own.principal = principal.word || principal.id
        WHERE own.operation = '${operation}' AND ${ownIsOn}
      UNION ALL
      SELECT place.context, down.name, down.rank | ${shifted('distance + 1')} FROM down
        CROSS JOIN access_context_parent AS place ON place.collection_id = down.id
        CROSS JOIN access_context AS context ON context.id = place.context
        WHERE down.type = 'collection' AND down.reach & (
          CASE context.kind WHEN 'item' THEN 2 WHEN 'collection' THEN 8 ELSE 32 END << (distance > 0))
    ), closing (context) AS MATERIALIZED (SELECT DISTINCT context FROM rated WHERE ${isClosing}),
    library (id, name, rank) AS MATERIALIZED (
      SELECT down.id, down.name, max(down.rank | ${shifted('distance + 1')}) FROM down
        WHERE down.type = 'library' AND down.free AND down.reach & (2 << (distance > 0)) GROUP BY down.id, down.name
    ), alone (id, context) AS MATERIALIZED (
      SELECT DISTINCT item.id, item.context FROM (SELECT DISTINCT id FROM library) AS library
        CROSS JOIN library_item AS over ON over.library_id = library.id AND over.passes = 1
        CROSS JOIN item ON item.id = over.item_id
        WHERE item.context IN (SELECT context FROM closing)
          OR library.id IN (SELECT id FROM library WHERE ${isClosing})
    ), best (context, name, rank) AS MATERIALIZED (
      SELECT context, name, max(rank) FROM rated
        WHERE context IN (SELECT context FROM closing UNION SELECT context FROM alone) GROUP BY context, name
    ), target (kind, id, name, rank) AS MATERIALIZED (
      SELECT 'context', context, name, rank FROM best WHERE context IN (SELECT context FROM closing)
      UNION ALL
      SELECT 'item', alone.id, best.name, best.rank FROM alone CROSS JOIN best ON best.context = alone.context
      UNION ALL
      SELECT 'item', alone.id, library.name, library.rank FROM alone
        CROSS JOIN library_item AS over ON over.item_id = alone.id AND over.passes = 1
        CROSS JOIN library ON library.id = over.library_id
    ), other (grant, type, id, grantor) AS (
      ${grantsOnContainers(counts)} UNION ${grantsInContexts('access_context_entry')}
      UNION ${grantsInContexts('access_context_operation')})`;
};

/**
 * Whether entries on libraries apply, and grants of others. Grouped by a constant, so no grants give no row. The parser
 * of libsql-server refuses HAVING without GROUP BY.
 */
const beside = sql`SELECT 'library', NULL, 0, '[]' WHERE EXISTS (SELECT 1 FROM down WHERE type = 'library')
    UNION ALL SELECT 'grant', NULL, 0, json_group_array(json_array(grant, type, id, grantor)) FROM other GROUP BY 1`;

const columns = {
  kind: sql<'context' | 'item' | 'library' | 'grant'>``,
  name: sql<string | null>``,
  closed: sql<number>``,
  ids: sql<string>``,
};

/**
 * Closed and open contexts and items, by field, or for all fields without entries. Includes grants of users who are
 * neither administrators nor owners.
 */
export const closedFields = query(
  sql`WITH RECURSIVE ${principals}, ${heldGrantIds}, ${sql.raw(targetsOf('METADATA'))},
    usual (kind, id, rank) AS MATERIALIZED (SELECT kind, id, max(rank) FROM target WHERE name IS NULL GROUP BY kind, id),
    decided (kind, id, name, rank) AS (
      SELECT kind, id, NULL, rank FROM usual
      UNION ALL
      SELECT target.kind, target.id, target.name, max(max(target.rank), COALESCE(usual.rank, 0)) FROM target
        LEFT JOIN usual ON usual.kind = target.kind AND usual.id = target.id
        WHERE target.name IS NOT NULL GROUP BY target.kind, target.id, target.name
    )
    SELECT kind, name, rank & 7 = 7, json_group_array(id) FROM decided GROUP BY 1, 2, 3
    UNION ALL ${beside}`,
  columns,
);

/** Entries that decide about shapes, by context or item: a shape has any number of tags. */
export const closedShapes = query(
  sql`WITH RECURSIVE ${principals}, ${heldGrantIds}, ${sql.raw(targetsOf('SHAPE'))}
    SELECT 'context', NULL, 1, json_group_object(id, json(ranks)) FROM (
      SELECT id, json_group_array(json_array(name, rank)) AS ranks FROM target GROUP BY kind, id) GROUP BY 1
    UNION ALL ${beside}`,
  columns,
);

/** Entities with a closed part, as JSON arrays for SQL. */
export interface ClosedIn {
  readonly contexts: string;
  /** Items of libraries outside of contexts: all of them, and those with the closed part. */
  readonly alone: { readonly all: string; readonly closed: string } | undefined;
}

/** Condition: the part is closed in the entity. `serial`: its serial in other rows. Never input of a caller. */
export function closedWhere({ contexts, alone }: ClosedIn, kind: Guarded, serial: string): Condition {
  const among = (column: string) => `+closed.${column} IN (SELECT value FROM json_each(?))`;
  const [text, values]: [string, readonly SqlValue[]] =
    alone && kind === 'item'
      ? [
          `CASE WHEN ${among('id')} THEN ${among('id')} ELSE ${among('context')} END`,
          [alone.all, alone.closed, contexts],
        ]
      : [among('context'), [contexts]];
  return { text: `EXISTS (SELECT 1 FROM ${kind} AS closed WHERE closed.serial = ${serial} AND ${text})`, values };
}

/** Condition: the shape is closed. `id`, `itemId`: SQL. `ranks`: result of `closedShapes`. */
export const closedShapeWhere = (ranks: string, id: string, itemId: string): Condition => ({
  text: `EXISTS (SELECT 1 FROM (SELECT ? AS ranks) AS given CROSS JOIN item AS closed WHERE closed.id = ${itemId} AND (
      SELECT max(each.value ->> 1) FROM json_each(ranks, '$."' || CASE
          WHEN json_type(ranks, '$."' || closed.id || '"') IS NULL THEN closed.context ELSE closed.id END || '"') AS each
        WHERE (each.value ->> 0) IS NULL
          OR EXISTS (SELECT 1 FROM shape_tagged WHERE shape_id = ${id} AND tag = each.value ->> 0)) & 7 = 7)`,
  values: [ranks],
});
