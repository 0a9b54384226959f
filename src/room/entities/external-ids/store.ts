import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { guard } from '../../../core/store/guard.ts';
import { externalId } from '../../../core/store/schema.ts';
import { query, type Reader, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { bytesOfOne } from '../page-weight.ts';

type Owner = { readonly type: string; readonly id: string };
type Owned = Owner & { readonly externalId: string };

const read = query((db) =>
  db
    .select({
      entityId: externalId.entityId,
      externalId: externalId.externalId,
      namespace: externalId.namespace,
    })
    .from(externalId)
    .where(
      sql`${externalId.entityType} = ${value('type')}
        AND ${externalId.entityId} IN ${valuesOf('ids')}`,
    )
    .orderBy(externalId.entityId, externalId.externalId)
    .limit(value('limit')),
);

/** By entity, for a whole page in one read. `max`: of one entity. */
export async function externalIdsOf(reader: Reader, type: string, ids: readonly string[], max: number) {
  const rows = await read(reader, { type, ids, limit: ids.length * max });
  return groupBy(rows, (row) => row.entityId);
}

const weigh = query(
  sql`SELECT entity_id, TOTAL(1 + octet_length(external_id) / ${bytesOfOne}) FROM external_id
    WHERE entity_type = ${value('type')} AND entity_id IN ${valuesOf('ids')} GROUP BY entity_id`,
  { id: sql<string>``, weight: sql<number>`` },
);

/** Weight of the external ids of each entity on a page. */
export async function externalIdWeights(reader: Reader, type: string, ids: readonly string[]) {
  const weights = new Map((await weigh(reader, { type, ids })).map((row) => [row.id, row.weight]));
  return (id: string): number => weights.get(id) ?? 0;
}

const lookUp = query((db) =>
  db
    .select({ entityId: externalId.entityId })
    .from(externalId)
    .where(sql`${externalId.entityType} = ${value('type')} AND ${externalId.externalId} = ${value('externalId')}`),
).first;

/** Id of the entity with the external id. */
export const entityOf = async (reader: Reader, type: string, externalId: string): Promise<string | undefined> =>
  (await lookUp(reader, { type, externalId }))?.entityId;

/** SQL form of `entityOf`, for a room that finds its entity with one query. */
export const entityOfSql = (type: string, externalId: Placeholder): SQL =>
  sql`(SELECT entity_id FROM external_id WHERE entity_type = ${type} AND external_id = ${externalId})`;

const ofOwner = sql`entity_type = ${value('type')} AND entity_id = ${value('id')}`;
const named = sql`entity_type = ${value('type')} AND external_id = ${value('externalId')}`;

const notOthers = guard<Owned>(
  sql`NOT EXISTS (SELECT 1 FROM external_id WHERE ${named} AND entity_id <> ${value('id')})`,
);
const hasRoom = guard<Owner & { max: number }>(
  sql`(SELECT count(*) FROM external_id WHERE ${ofOwner}) < ${value('max')}`,
);
const insert = statement<Owned & { namespace: string | null }>(
  sql`INSERT INTO ${writes('external_id')} (entity_type, external_id, entity_id, namespace)
    VALUES (${value('type')}, ${value('externalId')}, ${value('id')}, ${value('namespace')}) ON CONFLICT DO NOTHING`,
);

interface Refusals {
  readonly taken: ServiceError;
  readonly full: ServiceError;
}

export const addExternalId = (
  owned: Owned & { readonly namespace: string | null },
  max: number,
  { taken, full }: Refusals,
): Statement[] => [notOthers(owned, taken), hasRoom({ type: owned.type, id: owned.id, max }, full), insert(owned)];

export const hasExternalId = guard<Owned>(
  sql`EXISTS (SELECT 1 FROM external_id WHERE ${named} AND entity_id = ${value('id')})`,
);
export const removeExternalId = statement<Owned>(
  sql`DELETE FROM ${writes('external_id')} WHERE ${named} AND entity_id = ${value('id')}`,
);
export const removeExternalIds = statement<Owner>(sql`DELETE FROM ${writes('external_id')} WHERE ${ofOwner}`);

/** Deletes the external ids of all entities that a room deletes by one condition. `ids`: a query of their ids. */
export const removeExternalIdsSql = (type: string, ids: SQL): SQL =>
  sql`DELETE FROM ${writes('external_id')} WHERE entity_type = ${type} AND entity_id IN (${ids})`;
