import { sql } from 'drizzle-orm';
import { eachOf, query, valuesOf } from '../../core/store/statement.ts';
import { maxDepth } from '../containment/walks-sql.ts';

/** Nearness of the user. Groups have lower values by distance. */
export const nearest = 1023;

/**
 * Precedence of `precedence.ts` in one number: owner, priority, distance, nearness of the grantee, detail, strength.
 * Without the distance, which `shifted` adds.
 */
export const rank = (row: string, detail = '0'): string => `(((${row}.priority + 1048576) << 23)
    | (principal.near << 5) | (${detail} << 3)
    | CASE ${row}.permission WHEN 'NONE' THEN 7 WHEN 'OWNER' THEN 4 WHEN 'ALL' THEN 3 WHEN 'WRITE' THEN 2 ELSE 1 END)`;
export const shifted = (distance: string): string => `((255 - min(${distance}, 255)) << 15)`;
export const ofOwner = `(CASE WHEN own.position < 0 THEN 1 << 45 ELSE 0 END)`;

const isEnabled = (grantor: string): string =>
  `EXISTS (SELECT 1 FROM user WHERE user.id = ${grantor} AND user.enabled = 1)`;

/** Entries of users and groups, through two indexes. `operation`: condition for entries that count. */
export const granted = (columns: string, where: string, operation = 'entry.operation IS NULL'): string =>
  ['user', 'group']
    .map(
      (
        grantee,
      ) => `SELECT ${columns} FROM principal CROSS JOIN access_entry AS entry ON entry.${grantee}_id = principal.id
        WHERE principal.word = '${grantee[0]}:' AND entry.entity_type IN ('collection', 'library')
          AND ${operation} AND entry.reach > 1 AND ${where}`,
    )
    .join('\n      UNION ALL ');

const owner = `(SELECT owner.user_id FROM access_entry AS owner WHERE owner.entity_type = entry.entity_type
          AND owner.entity_id = entry.entity_id AND owner.permission = 'OWNER')`;
const grant = `entry.entity_type || ' ' || entry.entity_id || ' ' || entry.grantor_id`;

export const seedIsOn = `CASE WHEN entry.rooted = 1 OR entry.grantor_id IS NULL THEN 1
          WHEN entry.grantor_id IS ${owner} THEN ${isEnabled('entry.grantor_id')}
          ELSE ${grant} IN (SELECT held.grant FROM held) END`;
export const ownIsOn = `CASE WHEN own.grantor_id IS NULL THEN 1 WHEN own.by_owner = 1 THEN ${isEnabled('own.grantor_id')}
          ELSE own.context || ' ' || own.grantor_id IN (SELECT held.grant FROM held) END`;

/** Entries on containers and their reach: 84 has the bits below direct members. `more`: further columns. */
export const downFrom = (seed: string, more = ''): string => `seed (type, id, reach, rank, free${more}) AS (
      ${seed}
    ), down (type, id, distance, reach, rank, free${more}) AS (
      SELECT type, id, 0, reach, rank, free${more} FROM seed
      UNION
      SELECT below.member_type, below.member_id, distance + 1, reach, rank, free${more} FROM down
        CROSS JOIN collection_member AS below
          ON below.collection_id = down.id AND below.member_type IN ('collection', 'library')
        WHERE down.type = 'collection' AND reach & 84 AND below.passes = 1 AND distance < ${maxDepth}
    )`;

const down = downFrom(
  granted(
    `entry.entity_type, entry.entity_id, entry.reach, ${rank('entry')},
        entry.rooted = 1 AND entry.permission <> 'OWNER'`,
    seedIsOn,
  ),
);

const rated = `rated (context, rank) AS (
      SELECT own.context, ${rank('own')} | ${shifted('0')} | ${ofOwner} FROM principal
        CROSS JOIN access_context_entry AS own ON own.principal = principal.word || principal.id WHERE ${ownIsOn}
      UNION ALL
      SELECT place.context, down.rank | ${shifted('distance + 1')} FROM down
        CROSS JOIN access_context_parent AS place ON place.collection_id = down.id
        CROSS JOIN access_context AS context ON context.id = place.context
        WHERE down.type = 'collection' AND down.reach & (
          CASE context.kind WHEN 'item' THEN 2 WHEN 'collection' THEN 8 ELSE 32 END << (distance > 0))
    )`;

/** Best entry of a library for each of its items, compared with the context of the item. */
const bestOfLibraries = `library (id, rank) AS (
      SELECT down.id, max(down.rank | ${shifted('distance + 1')}) FROM down
        WHERE down.type = 'library' AND down.free AND down.reach & (2 << (distance > 0)) GROUP BY down.id
    ), kept (id, rank) AS (
      SELECT over.item_id, max(library.rank) FROM library
        CROSS JOIN library_item AS over ON over.library_id = library.id AND over.passes = 1
        GROUP BY over.item_id
    ), found (id, rank) AS (
      SELECT kept.id, max(kept.rank, COALESCE(decided.rank, 0)) FROM kept CROSS JOIN item ON item.id = kept.id
        LEFT JOIN decided ON decided.context = item.context
    )`;

export const principals = sql`principal (word, id, near) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM ${eachOf('principals')})`;
export const heldGrantIds = sql`held (grant) AS MATERIALIZED ${valuesOf('held')}`;

/** Grant of a user who is neither administrator nor owner: id, entity and grantor. */
export type Grant = readonly [grant: string, type: string, id: string | null, grantorId: string];

const grantOnContainer = `entry.rooted = 0 AND entry.grantor_id IS NOT NULL AND entry.grantor_id IS NOT ${owner}`;
export const grantsOnContainers = (operation?: string): string =>
  granted(`${grant}, entry.entity_type, entry.entity_id, entry.grantor_id`, grantOnContainer, operation);
export const grantsInContexts = (table: string): string => `SELECT own.context || ' ' || own.grantor_id, context.kind,
        (SELECT place.id FROM access_place AS place WHERE place.type = context.kind AND place.context = own.context
          LIMIT 1), own.grantor_id
      FROM principal CROSS JOIN ${table} AS own ON own.principal = principal.word || principal.id
      CROSS JOIN access_context AS context ON context.id = own.context
      WHERE own.grantor_id IS NOT NULL AND own.by_owner = 0`;
const grantsOfOthers = `${grantsOnContainers()} UNION ${grantsInContexts('access_context_entry')}`;

/** Maximum contexts and entities that searches leave out at once, for users who may read nearly everything. */
export const maxUnreadable = { contexts: 100, entities: 1000 };

/** Contexts of a kind that the user may not read. NULL: they have more than searches leave out. */
const unreadable = (['item', 'collection'] as const)
  .map(
    (kind) => `SELECT 'unreadable ${kind}', 0, CASE WHEN count(*) <= ${maxUnreadable.contexts}
          AND total(entities) <= ${maxUnreadable.entities} AND NOT EXISTS (SELECT 1 FROM ${kind} WHERE context IS NULL)
        THEN json_group_array(id) END FROM (
      SELECT context.id, context.entities FROM access_context AS context WHERE context.kind = '${kind}'
        AND context.id NOT IN (SELECT decided.context FROM decided WHERE decided.rank & 7 < 7)
        LIMIT ${maxUnreadable.contexts + 1})`,
  )
  .join(' UNION ALL ');

/**
 * Contexts with a deciding entry for the user, grouped by its strength, and those that the user may not read, if they
 * are few. Items of libraries with entries for the user are separate: libraries change too often to be part of contexts.
 * Includes grants of users who are neither administrators nor owners, whose own rights must be read.
 */
export const contextsByStrength = query(
  sql`WITH RECURSIVE ${principals}, ${heldGrantIds}, ${sql.raw(down)}, ${sql.raw(rated)},
    decided (context, rank) AS MATERIALIZED (SELECT context, max(rank) FROM rated GROUP BY context), ${sql.raw(bestOfLibraries)},
    other (grant, type, id, grantor) AS (${sql.raw(grantsOfOthers)})
    SELECT 'context', rank & 7, json_group_array(context) FROM decided WHERE rank & 7 < 7 GROUP BY rank & 7
    UNION ALL ${sql.raw(unreadable)}
    UNION ALL
    SELECT 'item', rank & 7, json_group_array(id) FROM found GROUP BY rank & 7
    UNION ALL
    SELECT 'library', 0, '[]' WHERE EXISTS (SELECT 1 FROM down WHERE type = 'library')
    UNION ALL
    SELECT 'grant', 0, json_group_array(json_array(grant, type, id, grantor)) FROM other GROUP BY 1`,
  {
    kind: sql<'context' | 'item' | 'library' | 'grant' | `unreadable ${'item' | 'collection'}`>``,
    strength: sql<number>``,
    ids: sql<string | null>``,
  },
);
