import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { putInto, rowBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../../core/store/statement.ts';

/** Namespaces of external ids. The matching pattern with the lowest priority wins. */
export const externalIdNamespace = sqliteTable('external_id_namespace', {
  name: text('name').primaryKey(),
  pattern: text('pattern').notNull(),
  priority: integer('priority').notNull(),
});

export const findNamespace = rowBy(externalIdNamespace, 'name');

/** All namespaces in order of priority, unpaged since they are few. */
export const allNamespaces = query((db) =>
  db.select().from(externalIdNamespace).orderBy(externalIdNamespace.priority, externalIdNamespace.name),
);

export type NamespaceRow = Awaited<ReturnType<typeof allNamespaces>>[number];

export const putNamespaceRow = putInto(externalIdNamespace, 'name');

export const namespacesFit = guard<{ max: number }>(
  sql`(SELECT count(*) FROM external_id_namespace) <= ${value('max')}`,
);

export const namespaceThere = rowExists(externalIdNamespace, 'name');

/** Guard: the namespace still has the pattern that matched. */
export const samePattern = rowExists(externalIdNamespace, 'name', 'pattern');

/** Deletes a namespace with its external ids. */
export const removeNamespace = [
  sql`DELETE FROM ${writes('external_id')} WHERE namespace = ${value('name')}`,
  sql`DELETE FROM ${writes('external_id_namespace')} WHERE name = ${value('name')}`,
].map((template) => statement<{ name: string }>(template));

const everywhere = sql`entity_type IN ('item', 'collection', 'library') AND external_id = ${value('externalId')}`;

/** Deletes an external id from all entities of kinds with namespaces. */
export const removeIdEverywhere = statement<{ externalId: string }>(
  sql`DELETE FROM ${writes('external_id')} WHERE ${everywhere}`,
);

export const idIsSomewhere = guard<{ externalId: string }>(sql`EXISTS (SELECT 1 FROM external_id WHERE ${everywhere})`);

/** Entities with these external ids. `pairs`: JSON array of type and external id. */
export const ownersAmong = query(
  sql`SELECT entity_type, external_id, entity_id FROM ${eachOf('pairs')} AS pair
    CROSS JOIN external_id ON entity_type = pair.value ->> 0 AND external_id = pair.value ->> 1`,
  { type: sql<string>``, externalId: sql<string>``, entityId: sql<string>`` },
);
