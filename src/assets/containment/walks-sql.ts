import { type SQL, sql } from 'drizzle-orm';
import { closure, enclosed } from '../../core/store/closure-sql.ts';
import { collectionMember } from './tables.ts';

/** Memberships that pass access entries on, or metadata. */
type Passing = 'passes' | 'inherits';

const { collectionId, memberId } = collectionMember;
const passing = (only?: Passing): string => (only === undefined ? '' : ` AND ${only} = 1`);
const isCollection = (only?: Passing): string => `member_type = 'collection'${passing(only)}`;

/**
 * Table `up (root, id)` of a recursive query: the collections above entities on all levels, each once, the nearest first.
 * `low`: a query of `root`, `type` and `id` of the entities.
 */
export function collectionsAbove<T extends SQL | string>(low: T, only?: Passing): T {
  const direct = enclosed(
    'SELECT root, collection_id FROM (',
    low,
    `) AS low CROSS JOIN collection_member ON member_type = low.type AND member_id = low.id${passing(only)}`,
  );
  const links = { from: memberId, to: collectionId, where: isCollection(only) };
  return closure('up', direct, links, 'root, id');
}

/** Table `down (id)` of a recursive query: the collections of a query, and those below them on all levels. */
export const collectionsBelow = <T extends SQL | string>(top: T, only?: Passing): T =>
  closure('down', top, { from: collectionId, to: memberId, where: isCollection(only) });

/** Maximum depth of containers, and of groups in groups. Cycles cannot occur. */
export const maxDepth = 250;

/**
 * Table `up (root, kind, type, id, distance, found)` of a recursive query: entities, and the collections and libraries that pass
 * access entries on to them. `low`: a query of `root`, `type` and `id` of the entities, whose type is `kind`. `found`: 1
 * behind a library.
 * Collections and libraries are separate steps: their view in one would be read as a whole.
 */
export const containersAbove = (low: SQL, limit?: number): SQL => sql`up (root, kind, type, id, distance, found) AS (
    SELECT root, type, type, id, 0, 0 FROM (${low}) AS low
    UNION
    SELECT root, kind, 'collection', over.collection_id, distance + 1, found FROM up
      CROSS JOIN collection_member AS over ON over.member_type = up.type AND over.member_id = up.id AND over.passes = 1
      WHERE distance < ${sql.raw(String(maxDepth))}
    UNION
    SELECT root, kind, 'library', over.library_id, distance + 1, 1 FROM up
      CROSS JOIN library_item AS over ON up.type = 'item' AND over.item_id = up.id AND over.passes = 1
      WHERE distance < ${sql.raw(String(maxDepth))}${sql.raw(limit === undefined ? '' : ` LIMIT ${limit}`)}
  )`;
