import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../store/statement.ts';
import { externalIdNamespace } from './tables.ts';

const value = sql.placeholder;

export const findNamespace = prepareLookup((db) =>
  db
    .select()
    .from(externalIdNamespace)
    .where(sql`${externalIdNamespace.name} = ${value('name')}`),
);

/** All namespaces in order of priority, unpaged since they are few. */
export const allNamespaces = prepareQuery((db) =>
  db.select().from(externalIdNamespace).orderBy(externalIdNamespace.priority, externalIdNamespace.name),
);

export type NamespaceRow = Awaited<ReturnType<typeof allNamespaces>>[number];

export const putNamespaceRow = prepareStatement<NamespaceRow>(
  sql`INSERT INTO external_id_namespace (name, pattern, priority)
    VALUES (${value('name')}, ${value('pattern')}, ${value('priority')})
    ON CONFLICT (name) DO UPDATE SET pattern = excluded.pattern, priority = excluded.priority`,
);

export const namespacesFit = prepareGuard<{ most: number }>(
  sql`(SELECT count(*) FROM external_id_namespace) <= ${value('most')}`,
);

export const namespaceThere = prepareGuard<{ name: string }>(
  sql`EXISTS (SELECT 1 FROM external_id_namespace WHERE name = ${value('name')})`,
);

/** Guard: the namespace still has the pattern that matched. */
export const samePattern = prepareGuard<{ name: string; pattern: string }>(
  sql`EXISTS (SELECT 1 FROM external_id_namespace WHERE name = ${value('name')} AND pattern = ${value('pattern')})`,
);

/** Deletes a namespace with its external ids. */
export const removeNamespace = [
  sql`DELETE FROM external_id WHERE namespace = ${value('name')}`,
  sql`DELETE FROM external_id_namespace WHERE name = ${value('name')}`,
].map((statement) => prepareStatement<{ name: string }>(statement));

/** Deletes an external id from all entities of kinds with namespaces. */
export const removeIdEverywhere = prepareStatement<{ externalId: string }>(
  sql`DELETE FROM external_id WHERE external_id = ${value('externalId')} AND namespace IS NOT NULL
    AND entity_type IN ('item', 'collection', 'library')`,
);

export const idIsSomewhere = prepareGuard<{ externalId: string }>(
  sql`EXISTS (SELECT 1 FROM external_id WHERE external_id = ${value('externalId')} AND namespace IS NOT NULL
    AND entity_type IN ('item', 'collection', 'library'))`,
);
