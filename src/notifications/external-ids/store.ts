import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { prepareGuard } from '../../store/guard.ts';
import { externalId } from '../../store/schema.ts';
import { prepareQuery, prepareSqlStatement } from '../../store/statement.ts';

const value = sql.placeholder;

type Owned = { readonly id: string; readonly externalId: string };

export const externalIdsOf = prepareQuery((db) =>
  db
    .select({ externalId: externalId.externalId })
    .from(externalId)
    .where(sql`${externalId.entityType} = 'notification' AND ${externalId.entityId} = ${value('id')}`)
    .orderBy(externalId.externalId)
    .limit(value('limit')),
);

const ours = sql`entity_type = 'notification' AND entity_id = ${value('id')}`;
const named = sql`entity_type = 'notification' AND external_id = ${value('externalId')}`;

const notOthers = prepareGuard<Owned>(
  sql`NOT EXISTS (SELECT 1 FROM external_id WHERE ${named} AND entity_id <> ${value('id')})`,
);
const there = prepareGuard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM notification WHERE id = ${value('id')} AND deleted_at IS NULL)`,
);
const room = prepareGuard<{ id: string; most: number }>(
  sql`(SELECT count(*) FROM external_id WHERE ${ours}) < ${value('most')}`,
);
const insert = prepareSqlStatement<Owned>(
  sql`INSERT INTO external_id (entity_type, external_id, entity_id)
    VALUES ('notification', ${value('externalId')}, ${value('id')}) ON CONFLICT DO NOTHING`,
);

interface Refusals {
  readonly gone: ServiceError;
  readonly taken: ServiceError;
  readonly full: ServiceError;
}

/** Adding one that it has already changes nothing. */
export const addExternalId = (owned: Owned, most: number, { gone, taken, full }: Refusals): Statement[] => [
  there({ id: owned.id }, gone),
  notOthers(owned, taken),
  room({ id: owned.id, most }, full),
  insert(owned),
];

export const hasExternalId = prepareGuard<Owned>(sql`EXISTS (SELECT 1 FROM external_id WHERE ${named} AND ${ours})`);
export const removeExternalId = prepareSqlStatement<Owned>(sql`DELETE FROM external_id WHERE ${named} AND ${ours}`);
export const removeExternalIds = prepareSqlStatement<{ id: string }>(sql`DELETE FROM external_id WHERE ${ours}`);
