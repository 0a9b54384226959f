import { sql } from 'drizzle-orm';
import { guard } from '../../core/store/guard.ts';
import { deleteBy, putInto, rowBy } from '../../core/store/rows.ts';
import { eachEntity, eachOf, query, statement, value, writes } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../core/store/triggers-sql.ts';
import { sameBytes } from '../../storage/public-reading.ts';
import { collectionsAbove } from '../containment/walks-sql.ts';
import { usageTerm } from './tables.ts';

const columns = {
  entityType: usageTerm.entityType,
  entityId: usageTerm.entityId,
  itemId: usageTerm.itemId,
  usableFrom: usageTerm.usableFrom,
  usableUntil: usageTerm.usableUntil,
  reason: usageTerm.reason,
  user: usageTerm.user,
  modifiedAt: usageTerm.modifiedAt,
};
/** A user of the service has the name of now. */
const selected = sql`entity_type, entity_id, usage_term.item_id, usable_from, usable_until, reason,
  coalesce((SELECT name FROM user WHERE user.id = usage_term.user_id), usage_term.user), modified_at`;

/**
 * Terms that count for each of some entities or files: their own, those of the item of a shape, and those of all
 * collections above. A collection counts for members whose adder had ALL on them. A file counts as each shape that has
 * it. Where no terms are set at all, nothing is walked. `low`: JSON array of root, type and id.
 */
export const termsFor = query(
  sql`WITH RECURSIVE given (root, type, id) AS (
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM ${eachOf('low')} WHERE EXISTS (SELECT 1 FROM usage_term)
    ), used (root, shape_id, item_id) AS (
      SELECT root, shape_id, item_id FROM given CROSS JOIN file_use ON file_id IN (${sameBytes(sql`given.id`)})
        WHERE given.type = 'file'
    ), low (root, type, id) AS (
      SELECT root, type, id FROM given WHERE type <> 'file'
      UNION SELECT root, 'shape', shape_id FROM used
      UNION SELECT root, 'item', item_id FROM used
    ), ${collectionsAbove(sql`SELECT root, type, id FROM low`, 'passes')},
    holder (root, type, id) AS (SELECT root, type, id FROM low UNION ALL SELECT root, 'collection', id FROM up)
    SELECT root, ${selected} FROM holder CROSS JOIN usage_term
      ON entity_type = holder.type AND entity_id = holder.id`,
  { root: sql<string>``, ...columns },
).reaching(eachEntity('low'));

export type TermsSeen = Omit<Awaited<ReturnType<typeof termsFor>>[number], 'root'>;

export const findTerms = rowBy(usageTerm, ['entityType', 'entityId']);
export type TermsRow = NonNullable<Awaited<ReturnType<typeof findTerms>>>;

export const putTerms = putInto(usageTerm, ['entityType', 'entityId']);
export const deleteTerms = deleteBy(usageTerm, 'entityType', 'entityId');

/** Gives the terms of a shape to a copy of it, which has the same files. */
export const copyTerms = statement<{ from: string; to: string }>(
  sql`INSERT INTO ${writes('usage_term')} (entity_type, entity_id, item_id, usable_from, usable_until, reason, user_id,
      user, modified_at, due)
    SELECT entity_type, ${value('to')}, item_id, usable_from, usable_until, reason, user_id, user, modified_at, due
      FROM usage_term WHERE entity_type = 'shape' AND entity_id = ${value('from')}`,
);

/** Terms that end in a time, those first that end first. */
export const termsEnding = query(
  sql`SELECT ${selected} FROM usage_term WHERE usable_until >= ${value('from')} AND usable_until < ${value('until')}
    ORDER BY usable_until, entity_type, entity_id LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  columns,
);

export const usageDue = sql`SELECT min(due) FROM usage_term WHERE due IS NOT NULL`;

export const dueTerms = query((db) =>
  db
    .select()
    .from(usageTerm)
    .where(sql`${usageTerm.due} <= ${value('now')}`)
    .orderBy(usageTerm.due)
    .limit(value('limit')),
);

/** Guard: nobody has sent the event, or changed the terms. */
export const isStillDue = guard<Pick<TermsRow, 'entityType' | 'entityId' | 'due'>>(
  sql`EXISTS (SELECT 1 FROM usage_term WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')}
    AND due = ${value('due')})`,
);

export const nextDue = statement<Pick<TermsRow, 'entityType' | 'entityId'> & { next: number | null }>(
  sql`UPDATE ${writes('usage_term')} SET due = ${value('next')}
    WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')}`,
);

/** Triggers that delete terms with their entity. */
export const usageTriggers = (): readonly string[] => {
  const of = (kind: string) =>
    deleted(kind, goesWith({ usage_term: { entity_type: `'${kind}'`, entity_id: 'OLD.id' } }));
  return triggers({ item_terms: of('item'), collection_terms: of('collection'), shape_terms: of('shape') });
};
