import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareSqlStatement } from '../../store/statement.ts';
import { externalIdNamespace } from './tables.ts';

const value = sql.placeholder;

export const findNamespace = prepareLookup((db) =>
  db
    .select()
    .from(externalIdNamespace)
    .where(sql`${externalIdNamespace.name} = ${value('name')}`),
);

/** In the order in which they are asked. There are few of them. */
export const allNamespaces = prepareQuery((db) =>
  db.select().from(externalIdNamespace).orderBy(externalIdNamespace.priority, externalIdNamespace.name),
);

export type NamespaceRow = Awaited<ReturnType<typeof allNamespaces>>[number];

export const putNamespaceRow = prepareSqlStatement<NamespaceRow>(
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

/** It matched by this pattern. */
export const samePattern = prepareGuard<{ name: string; pattern: string }>(
  sql`EXISTS (SELECT 1 FROM external_id_namespace WHERE name = ${value('name')} AND pattern = ${value('pattern')})`,
);

/** Its external ids go with it. */
export const removeNamespace = [
  sql`DELETE FROM external_id WHERE namespace = ${value('name')}`,
  sql`DELETE FROM external_id_namespace WHERE name = ${value('name')}`,
].map((statement) => prepareSqlStatement<{ name: string }>(statement));

/** Of the kinds that have namespaces. */
export const removeIdEverywhere = prepareSqlStatement<{ externalId: string }>(
  sql`DELETE FROM external_id WHERE external_id = ${value('externalId')} AND namespace IS NOT NULL
    AND entity_type IN ('item', 'collection', 'library')`,
);

export const idIsSomewhere = prepareGuard<{ externalId: string }>(
  sql`EXISTS (SELECT 1 FROM external_id WHERE external_id = ${value('externalId')} AND namespace IS NOT NULL
    AND entity_type IN ('item', 'collection', 'library'))`,
);
